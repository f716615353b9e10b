import type { Locale } from "../base/errors/locale.ts";
import { printActiveEditor } from "../turn/context/active-editor.ts";

/** Makes what a command shows of a sample. */
export type MakeExample = (sample: Sample, locale: Locale) => Example;

interface Example {
  code: string;
  search: string;
  replace: string;
  /** The line that the answer names; else the first one of `search`. */
  line?: string;
}

/** @param language the editor's language id; of an unknown one JavaScript is shown */
export function workedExample(make: MakeExample, language: string, locale: Locale) {
  // Ids of editors that share a sample: `typescriptreact`.
  const name = language
    .toLowerCase()
    .replace(/react$/, "")
    .replace(/^tsx$/, "typescript");
  const all: Readonly<Record<string, Sample>> = samples;
  const sample = (Object.hasOwn(all, name) ? all[name] : undefined) ?? samples.javascript;
  const { code, search, replace, line = search.split("\n")[0] ?? "" } = make(sample, locale);
  const lines = code.split("\n");
  return {
    example: printActiveEditor({ filePath: sample.path, content: code }),
    examplePath: sample.path,
    exampleLine: String(lines.indexOf(line) + 1),
    exampleSearch: search,
    exampleReplace: replace,
  };
}

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

interface Written {
  path: string;
  /** Right, but slower than need be; lines end with \n. */
  code: string;
  doc: DocStyle;
  /** The end of the loop, and a wrong one. */
  end: readonly [right: string, wrong: string];
  /** What is computed in each round, and the line that does it before the loop. */
  root: readonly [slow: string, before: string];
}

type Sample = ReturnType<typeof toSample>;

function toSample({ end, root: [slow, before], ...written }: Written) {
  const lines = written.code.split("\n");
  const lineWith = (part: string): string => lines.find((line) => line.includes(part)) ?? "";
  const [loop, work] = [lineWith(end[0]), lineWith(slow)];
  return {
    ...written,
    /** The line of the loop, and the same with a fault: it ends too early. */
    loop: [loop, loop.replace(...end)] as const,
    /** The line inside of the loop with work that need not be done in it, and the line that does it before. */
    work: [
      work,
      work.replace(slow, () => /\$?root/.exec(before)?.[0] ?? ""),
      /^\s*/.exec(loop) + before,
    ] as const,
    /** The line that a doc comment goes to. */
    head: lines.find((line) => /total\(/i.test(line)) ?? "",
  };
}

const scriptCode = ([values, scale, result]: readonly [string, string, string]): string =>
  `export function total(values${values}, scale${scale})${result} {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    sum += values[at] / Math.sqrt(scale);
  }
  return sum;
}
`;
const script = (path: string, ...types: [string, string, string]): Sample =>
  toSample({
    path,
    doc: "jsdoc",
    end: ["values.length", "values.length - 1"],
    root: ["Math.sqrt(scale)", "const root = Math.sqrt(scale);"],
    code: scriptCode(types),
  });

const c = (path: string, root: string): Sample =>
  toSample({
    path,
    doc: "doxygen",
    end: ["at < count", "at + 1 < count"],
    root: [root, `const double root = ${root};`],
    code: `double total(const double *values, size_t count, double scale)
{
    double sum = 0;
    for (size_t at = 0; at < count; at++) {
        sum += values[at] / ${root};
    }
    return sum;
}
`,
  });

const samples = {
  javascript: script("lib/totals.js", "", "", ""),
  typescript: script("lib/totals.ts", ": Float64Array", ": number", ": number"),
  python: toSample({
    path: "lib/totals.py",
    doc: "python",
    end: ["range(len(values))", "range(len(values) - 1)"],
    root: ["scale ** 0.5", "root = scale ** 0.5"],
    code: `def total(values, scale):
    result = 0
    for at in range(len(values)):
        result += values[at] / scale ** 0.5
    return result
`,
  }),
  go: toSample({
    path: "lib/totals.go",
    doc: "go",
    end: ["len(values)", "len(values)-1"],
    root: ["math.Sqrt(scale)", "root := math.Sqrt(scale)"],
    code: `func Total(values []float64, scale float64) float64 {
	sum := 0.0
	for at := 0; at < len(values); at++ {
		sum += values[at] / math.Sqrt(scale)
	}
	return sum
}
`,
  }),
  java: toSample({
    path: "lib/Totals.java",
    doc: "block",
    end: ["values.length", "values.length - 1"],
    root: ["Math.sqrt(scale)", "double root = Math.sqrt(scale);"],
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
  }),
  rust: toSample({
    path: "lib/totals.rs",
    doc: "slashes",
    end: ["values.len()", "values.len().saturating_sub(1)"],
    root: ["scale.sqrt()", "let root = scale.sqrt();"],
    code: `pub fn total(values: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for at in 0..values.len() {
        sum += values[at] / scale.sqrt();
    }
    sum
}
`,
  }),
  c: c("lib/totals.c", "sqrt(scale)"),
  cpp: c("lib/totals.cpp", "std::sqrt(scale)"),
  csharp: toSample({
    path: "Lib/Totals.cs",
    doc: "xml",
    end: ["values.Length", "values.Length - 1"],
    root: ["Math.Sqrt(scale)", "double root = Math.Sqrt(scale);"],
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
  }),
  ruby: toSample({
    path: "lib/totals.rb",
    doc: "hashes",
    end: ["values.size", "values.size - 1"],
    root: ["scale**0.5", "root = scale**0.5"],
    code: `def total(values, scale)
  sum = 0
  (0...values.size).each do |at|
    sum += values[at] / scale**0.5
  end
  sum
end
`,
  }),
  php: toSample({
    path: "lib/totals.php",
    doc: "block",
    end: ["count($values)", "count($values) - 1"],
    root: ["sqrt($scale)", "$root = sqrt($scale);"],
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
  }),
} satisfies Record<string, Sample>;
