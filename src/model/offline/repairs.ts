// What a line shows to be a fault, by rules that leave code alone where they could break it.
import type { CodeLanguage } from "../../code/code-analysis.ts";
import { followBrackets, stringMark } from "./mask.ts";

export type Fault =
  | "looseEquality"
  | "noneEquality"
  | "bareExcept"
  | "nullEquality"
  | "stringIdentity"
  | "signedAssignment";

/** A line, and what its repairs have to know of the lines around it. */
export interface CodeLine {
  source: string;
  /** The same length; comments are blanks, strings are marks. */
  masked: string;
  /** In Python, what is open where it starts. */
  brackets: string;
  /** Nothing but statements stands here: the line is in the body of a function, and in no type in it. */
  isStatement: () => boolean;
  /** The n-th line below, masked; undefined behind the last one. */
  below: (nth: number) => string | undefined;
}

export interface Repair {
  languages: readonly CodeLanguage[];
  /** Is looked for in masked code. */
  pattern: RegExp;
  /** What stands there instead; undefined where that is not certain to be right. */
  write: (found: RegExpExecArray, line: CodeLine) => string | undefined;
  fault: Fault;
}

const scripts: readonly CodeLanguage[] = ["javascript", "typescript", "tsx"];
const withAssignments: readonly CodeLanguage[] = [...scripts, "c", "cpp", "csharp", "java", "php"];
/** Enough of a line to see the operand beside an operator. */
const nearby = 200;

export const repairs: readonly Repair[] = [
  {
    languages: scripts,
    pattern: /(?<![=!<>])[=!]=(?!=)/g,
    write: writeStrict,
    fault: "looseEquality",
  },
  { languages: ["python"], pattern: /[!=]=\s*None\b/g, write: writeIs, fault: "noneEquality" },
  {
    languages: ["python"],
    pattern: /^(\s*)except\s*:/g,
    write: writeException,
    fault: "bareExcept",
  },
  {
    languages: ["java"],
    // oxlint-disable-next-line patterns/no-built-pattern -- of one character of our own.
    pattern: new RegExp(`(?<![\\w$.])([A-Za-z_$][\\w$.]*)\\s*([!=])=\\s*(${stringMark}+)`, "g"),
    write: writeEquals,
    fault: "stringIdentity",
  },
  {
    languages: ["php"],
    pattern: /(?<![=!<>])[!=]=(?=\s*null\b)/gi,
    write: ([operator]) => `${operator}=`,
    fault: "nullEquality",
  },
  {
    languages: withAssignments,
    pattern: /^\s*(\$?[\w.$[\]]+(?:->[\w.[\]]+)*) =([+-]) ([^;]+);\s*$/g,
    write: writeCompound,
    fault: "signedAssignment",
  },
];

/** Comparing with `null` loosely finds `undefined`, too, and is often meant; operands on other lines are unknown. */
function writeStrict({ 0: operator, index }: RegExpExecArray, line: CodeLine): string | undefined {
  const before = beforeOf(index, line).trimEnd();
  const after = afterOf(index + operator.length, line).trimStart();
  if (before === "" || after === "") return undefined;
  const isNullCheck =
    /(?:^|[^\w$.])(?:null|undefined)$/.test(before) || /^\(*(?:null|undefined|void)\b/.test(after);
  return isNullCheck ? undefined : `${operator}=`;
}

/**
 * Only in conditions: columns of tables and of databases overload `==`, in indices, arguments and values, and
 * have no truth of their own.
 */
function writeIs({ 0: found, index }: RegExpExecArray, line: CodeLine): string | undefined {
  const before = beforeOf(index, line);
  const after = afterOf(index + found.length, line);
  const isCondition =
    /^\s*(?:if|elif|while|assert)\b/.test(line.masked) ||
    /\b(?:and|or|not|if)\s+\(*[\w.]+\s*$/.test(before) ||
    /^\s+(?:and|or|else)\b/.test(after);
  const isOfColumns = /[&|~]/.test(line.masked) || /^[\s)]*\)\s*\./.test(after);
  const open = followBrackets(line.brackets, line.masked.slice(0, index));
  if (!isCondition || isOfColumns || !/^\(*$/.test(open)) return undefined;
  return `${/\s$/.test(before) ? "" : " "}${found.startsWith("!") ? "is not" : "is"} None`;
}

/** A handler that raises again may clean up after an interrupt, too. */
function writeException({ 1: indent = "" }: RegExpExecArray, line: CodeLine): string | undefined {
  if (/\braise\b/.test(line.masked)) return undefined;
  for (let nth = 1; ; nth += 1) {
    const text = line.below(nth);
    if (text === undefined) break;
    if (text.trim() === "") continue;
    const inner = /^\s*/.exec(text)?.[0] ?? "";
    if (inner.length <= indent.length) break;
    if (/\braise\b/.test(text)) return undefined;
  }
  return `${indent}except Exception:`;
}

/** Only where the name and the text are the whole operands. */
function writeEquals(found: RegExpExecArray, line: CodeLine): string | undefined {
  const [all, name = "", sign, mark = ""] = found;
  const end = found.index + all.length;
  const text = line.source.slice(end - mark.length, end);
  const isWhole =
    /(?:[(,?:{]|&&|\|\||->|(?<![=!<>+\-*/%&|^])=|\breturn)\s*$/.test(beforeOf(found.index, line)) &&
    /^\s*(?:[);,?:}\]]|&&|\|\|)/.test(afterOf(end, line));
  if (!isWhole || !text.startsWith('"')) return undefined;
  return `${sign === "!" ? "!" : ""}${text}.equals(${name})`;
}

/** `=+` with a blank behind it. Assigning a name's own value with a sign converts it, and is meant. */
function writeCompound(found: RegExpExecArray, line: CodeLine): string | undefined {
  const [all, name = "", , value = ""] = found;
  if (!line.isStatement() || value.trim() === name) return undefined;
  const text = line.source.slice(found.index, found.index + all.length);
  return text.replace(/ =([+-]) /, " $1= ");
}

function beforeOf(index: number, { masked }: CodeLine): string {
  return masked.slice(Math.max(0, index - nearby), index);
}

function afterOf(index: number, { masked }: CodeLine): string {
  return masked.slice(index, index + nearby);
}
