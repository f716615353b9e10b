// One small function in each language, from which the worked examples of edit prompts are made.

export type DocStyle =
  | "jsdoc"
  | "block"
  | "doxygen"
  | "python"
  | "go"
  | "slashes"
  | "xml"
  | "hashes";

export interface Sample {
  path: string;
  /** For the fence. */
  language: string;
  /** Right, but slower than need be; lines end with \n. */
  code: string;
  /** The line of the loop, and the same with a fault: it ends too early. */
  loop: readonly [right: string, wrong: string];
  /** The line inside of the loop with work that need not be done in it, and the line that does it before. */
  work: readonly [slow: string, fast: string, before: string];
  /** The line that a doc comment goes to, and how such comments are written. */
  head: string;
  doc: DocStyle;
}

const script = (types: readonly [values: string, scale: string, result: string]): string =>
  `export function total(values${types[0]}, scale${types[1]})${types[2]} {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    sum += values[at] / Math.sqrt(scale);
  }
  return sum;
}
`;
const javascript: Sample = {
  path: "lib/totals.js",
  language: "javascript",
  code: script(["", "", ""]),
  loop: [
    "  for (let at = 0; at < values.length; at += 1) {",
    "  for (let at = 0; at < values.length - 1; at += 1) {",
  ],
  work: [
    "    sum += values[at] / Math.sqrt(scale);",
    "    sum += values[at] / root;",
    "  const root = Math.sqrt(scale);",
  ],
  head: "export function total(values, scale) {",
  doc: "jsdoc",
};
const typescript: Sample = {
  ...javascript,
  path: "lib/totals.ts",
  language: "typescript",
  code: script([": Float64Array", ": number", ": number"]),
  head: "export function total(values: Float64Array, scale: number): number {",
};

const cBody = (step: string): string => `{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        sum += values[at] / ${step}(scale);
    }
    return sum;
}
`;
const c: Sample = {
  path: "lib/totals.c",
  language: "c",
  code: `double total(const double *values, size_t count, double scale)\n${cBody("sqrt")}`,
  loop: [
    "    for (size_t at = 0; at < count; at++) {",
    "    for (size_t at = 0; at + 1 < count; at++) {",
  ],
  work: [
    "        sum += values[at] / sqrt(scale);",
    "        sum += values[at] / root;",
    "    const double root = sqrt(scale);",
  ],
  head: "double total(const double *values, size_t count, double scale)",
  doc: "doxygen",
};

export const samples = {
  javascript,
  typescript,
  python: {
    path: "lib/totals.py",
    language: "python",
    code: `def total(values, scale):
    result = 0
    for at in range(len(values)):
        result += values[at] / scale ** 0.5
    return result
`,
    loop: ["    for at in range(len(values)):", "    for at in range(len(values) - 1):"],
    work: [
      "        result += values[at] / scale ** 0.5",
      "        result += values[at] / root",
      "    root = scale ** 0.5",
    ],
    head: "def total(values, scale):",
    doc: "python",
  },
  go: {
    path: "lib/totals.go",
    language: "go",
    code: `func Total(values []float64, scale float64) float64 {
	sum := 0.0
	for at := 0; at < len(values); at++ {
		sum += values[at] / math.Sqrt(scale)
	}
	return sum
}
`,
    loop: ["\tfor at := 0; at < len(values); at++ {", "\tfor at := 0; at < len(values)-1; at++ {"],
    work: [
      "\t\tsum += values[at] / math.Sqrt(scale)",
      "\t\tsum += values[at] / root",
      "\troot := math.Sqrt(scale)",
    ],
    head: "func Total(values []float64, scale float64) float64 {",
    doc: "go",
  },
  java: {
    path: "lib/Totals.java",
    language: "java",
    code: `class Totals {
    static double total(double[] values, double scale) {
        double sum = 0;
        for (int at = 0; at < values.length; at++) {
            sum += values[at] / Math.sqrt(scale);
        }
        return sum;
    }
}
`,
    loop: [
      "        for (int at = 0; at < values.length; at++) {",
      "        for (int at = 0; at < values.length - 1; at++) {",
    ],
    work: [
      "            sum += values[at] / Math.sqrt(scale);",
      "            sum += values[at] / root;",
      "        double root = Math.sqrt(scale);",
    ],
    head: "    static double total(double[] values, double scale) {",
    doc: "block",
  },
  rust: {
    path: "lib/totals.rs",
    language: "rust",
    code: `pub fn total(values: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for at in 0..values.len() {
        sum += values[at] / scale.sqrt();
    }
    sum
}
`,
    loop: ["    for at in 0..values.len() {", "    for at in 0..values.len().saturating_sub(1) {"],
    work: [
      "        sum += values[at] / scale.sqrt();",
      "        sum += values[at] / root;",
      "    let root = scale.sqrt();",
    ],
    head: "pub fn total(values: &[f64], scale: f64) -> f64 {",
    doc: "slashes",
  },
  c,
  cpp: {
    ...c,
    path: "lib/totals.cpp",
    language: "cpp",
    code: `double total(const double *values, size_t count, double scale)\n${cBody("std::sqrt")}`,
    work: [
      "        sum += values[at] / std::sqrt(scale);",
      "        sum += values[at] / root;",
      "    const double root = std::sqrt(scale);",
    ],
  },
  csharp: {
    path: "Lib/Totals.cs",
    language: "csharp",
    code: `static class Totals
{
    public static double Total(double[] values, double scale)
    {
        double sum = 0;
        for (int at = 0; at < values.Length; at++)
        {
            sum += values[at] / Math.Sqrt(scale);
        }
        return sum;
    }
}
`,
    loop: [
      "        for (int at = 0; at < values.Length; at++)",
      "        for (int at = 0; at < values.Length - 1; at++)",
    ],
    work: [
      "            sum += values[at] / Math.Sqrt(scale);",
      "            sum += values[at] / root;",
      "        double root = Math.Sqrt(scale);",
    ],
    head: "    public static double Total(double[] values, double scale)",
    doc: "xml",
  },
  ruby: {
    path: "lib/totals.rb",
    language: "ruby",
    code: `def total(values, scale)
  sum = 0
  (0...values.size).each do |at|
    sum += values[at] / scale**0.5
  end
  sum
end
`,
    loop: ["  (0...values.size).each do |at|", "  (0...values.size - 1).each do |at|"],
    work: [
      "    sum += values[at] / scale**0.5",
      "    sum += values[at] / root",
      "  root = scale**0.5",
    ],
    head: "def total(values, scale)",
    doc: "hashes",
  },
  php: {
    path: "lib/totals.php",
    language: "php",
    code: `<?php

function total(array $values, float $scale): float
{
    $sum = 0.0;
    for ($at = 0; $at < count($values); $at++) {
        $sum += $values[$at] / sqrt($scale);
    }
    return $sum;
}
`,
    loop: [
      "    for ($at = 0; $at < count($values); $at++) {",
      "    for ($at = 0; $at < count($values) - 1; $at++) {",
    ],
    work: [
      "        $sum += $values[$at] / sqrt($scale);",
      "        $sum += $values[$at] / $root;",
      "    $root = sqrt($scale);",
    ],
    head: "function total(array $values, float $scale): float",
    doc: "block",
  },
} satisfies Record<string, Sample>;

// The worked example of an edit prompt: a question about a made-up file, and the edit that answers it, in the
// language at hand. The prompts hold the sentences around it.
