// Repairs that a rule can make: the offline model's answer to "fix".
import type { EditUnit } from "../edit/edit-unit.ts";
import { printUnits } from "../edit/print-units.ts";
import type { CodeAnalysis, CodeRange } from "../symbols/code-analysis.ts";

/** A fault that a line shows by itself, and its repair. */
interface Repair {
  languages: readonly string[];
  pattern: RegExp;
  replacement: string;
  /** Names the fault in `OfflineTexts.faults`. */
  fault: Fault;
}

export type Fault =
  | "looseEquality"
  | "noneEquality"
  | "bareExcept"
  | "varKeyword"
  | "nullEquality"
  | "stringIdentity";

const scripts = ["javascript", "typescript", "javascriptreact", "typescriptreact"];

const repairs: readonly Repair[] = [
  {
    languages: scripts,
    pattern: /(?<![=!<>])==(?!=)(?!\s*(?:null|undefined)\b)/g,
    replacement: "===",
    fault: "looseEquality",
  },
  {
    languages: scripts,
    pattern: /!=(?!=)(?!\s*(?:null|undefined)\b)/g,
    replacement: "!==",
    fault: "looseEquality",
  },
  { languages: scripts, pattern: /^(\s*)var(?=\s)/g, replacement: "$1let", fault: "varKeyword" },
  {
    languages: ["python"],
    pattern: /\s*!=\s*None\b/g,
    replacement: " is not None",
    fault: "noneEquality",
  },
  {
    languages: ["python"],
    pattern: /\s*==\s*None\b/g,
    replacement: " is None",
    fault: "noneEquality",
  },
  {
    languages: ["python"],
    pattern: /^(\s*)except\s*:/g,
    replacement: "$1except Exception:",
    fault: "bareExcept",
  },
  {
    languages: ["java", "kotlin"],
    pattern: /\b([\w.]+)\s*==\s*("(?:[^"\\]|\\.)*")/g,
    replacement: "$2.equals($1)",
    fault: "stringIdentity",
  },
  {
    languages: ["ruby"],
    pattern: /\b([\w.@]+)\s*==\s*nil\b/g,
    replacement: "$1.nil?",
    fault: "nullEquality",
  },
  {
    languages: ["php"],
    pattern: /(?<![=!<>])==(?!=)\s*null\b/g,
    replacement: "=== null",
    fault: "nullEquality",
  },
];

export interface MechanicalFix {
  /** The lines with a fault, 1-based lines of the text. */
  faults: { line: number; fault: Fault }[];
  units: EditUnit[];
}

/**
 * Looks for faults in lines [startLine, endLine] of a text; comments and strings are left alone.
 *
 * @param language the editor's language id
 */
export function findMechanicalFixes(
  text: string,
  language: string,
  range: { startLine: number; endLine: number },
  analysis: CodeAnalysis,
): MechanicalFix {
  const lines = text.split(/\r?\n/);
  const known = repairs.filter(({ languages }) => languages.includes(language));
  const faults: MechanicalFix["faults"] = [];
  const units: EditUnit[] = [];
  const last = Math.min(range.endLine, lines.length);
  for (let number = range.startLine; number <= last; number += 1) {
    const line = lines[number - 1] ?? "";
    let repaired = line;
    for (const { pattern, replacement, fault } of known) {
      const next = replaceInCode(repaired, pattern, replacement, (column) =>
        repaired === line ? isQuoted(analysis, number, column) : false,
      );
      if (next === repaired) continue;
      faults.push({ line: number, fault });
      repaired = next;
    }
    if (repaired !== line) units.push(toUnit(lines, number, repaired));
  }
  return { faults, units };
}

/** As a model would write it. */
export function printFileEdit(path: string, units: readonly EditUnit[]): string {
  const escaped = path.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<file-edit filePath="${escaped}">\n${printUnits(units)}</file-edit>\n`;
}

function replaceInCode(
  line: string,
  pattern: RegExp,
  replacement: string,
  isExcluded: (column: number) => boolean,
): string {
  return line.replaceAll(pattern, (match: string, ...rest: unknown[]) => {
    const at = rest.findIndex((part) => typeof part === "number");
    if (isExcluded(Number(rest[at]) + 1)) return match;
    return replacement.replaceAll(/\$(\d)/g, (_, group: string) => {
      const text = rest[Number(group) - 1];
      return typeof text === "string" ? text : "";
    });
  });
}

function isQuoted({ comments, strings }: CodeAnalysis, line: number, column: number): boolean {
  return [...comments, ...strings].some((range) => contains(range, line, column));
}

function contains(range: CodeRange, line: number, column: number): boolean {
  const { startLine, startColumn, endLine, endColumn } = range;
  const isAfterStart = line > startLine || (line === startLine && column >= startColumn);
  return isAfterStart && (line < endLine || (line === endLine && column < endColumn));
}

/** Enough lines around the line that the unit stands in the text only once. */
function toUnit(lines: readonly string[], number: number, repaired: string): EditUnit {
  let [from, to] = [number - 1, number];
  const quote = () => lines.slice(from, to).join("\n");
  const isOnce = () => {
    const all = `\n${lines.join("\n")}\n`;
    const quoted = `\n${quote()}\n`;
    return all.indexOf(quoted) === all.lastIndexOf(quoted);
  };
  while (!isOnce() && (from > 0 || to < lines.length)) {
    if (from > 0) from -= 1;
    if (to < lines.length) to += 1;
  }
  const replaced = lines.slice(from, to).with(number - 1 - from, repaired);
  return { search: `${quote()}\n`, replace: `${replaced.join("\n")}\n` };
}
