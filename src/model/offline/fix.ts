// Repairs that a rule can make: the offline model's answer to "fix".
import { type LineRange, encloses } from "../../edit/edit-unit.ts";
import type { CodeAnalysis, CodeLanguage, CodeMatch } from "../../code/code-analysis.ts";
import type { Locale } from "../../base/errors/locale.ts";

/** A fault that its pattern shows for certain, and what to write instead. */
interface Repair {
  /**
   * One pattern of tree-sitter. What it captures as `whole` is replaced, or else what it captures as `operator`, which
   * tells whether a comparison is negated.
   */
  query: string;
  /** `{name}` is the text of a capture, and `{not}` is `!` or `{is}` is `is not` where the operator is negated. */
  by: string;
  /** What is wrong, as a sentence. */
  says: Readonly<Record<Locale, string>>;
}

/** Faults that one answer repairs. */
export const maxRepairs = 20;

/** A new text in place of an old one, as offsets. */
interface Patch extends Pick<Repair, "says"> {
  start: number;
  end: number;
  text: string;
}

const notEqual = `operator: ["==" "===" "!=" "!=="] @operator`;
const nan = `[(identifier) (member_expression)] @nan`;
const isNan: Repair = {
  query: `([(binary_expression left: (_) @value ${notEqual} right: ${nan})
     (binary_expression left: ${nan} ${notEqual} right: (_) @value)] @whole
    (#any-of? @nan "NaN" "Number.NaN") (#not-any-of? @value "NaN" "Number.NaN"))`,
  by: "{not}Number.isNaN({value})",
  says: {
    en: "NaN is not equal to anything, not even to itself.",
    zh: "NaN 与任何值都不相等，包括它自己。",
  },
};

/** Comparing with null loosely also finds undefined, and with a truth value what counts as one: both are meant. */
const looseEqual: Repair = {
  query: String.raw`(binary_expression
    left: (_) @left operator: ["==" "!="] @operator right: (_) @right
    (#not-match? @left "^\\(*(?:null|undefined|true|false|void .*)\\)*$")
    (#not-match? @right "^\\(*(?:null|undefined|true|false|void .*)\\)*$"))`,
  by: "{operator}=",
  says: {
    en: "`==` and `!=` convert their operands; the strict form compares them as they are.",
    zh: "`==` 和 `!=` 会转换操作数，严格形式按原值比较。",
  },
};

/** `x =+ y` as a statement. Assigning a name's own value with a sign converts it, and is meant. */
const swappedSign: Repair = {
  query: `(expression_statement (assignment_expression left: (_) @left
    right: (unary_expression . ["+" "-"] @sign . (_) @value)) @whole
    (#match? @whole "^[^=]* =[+-] ") (#not-eq? @left @value))`,
  by: "{left} {sign}= {value}",
  says: {
    en: "`=+` and `=-` assign a value with a sign; `+=` and `-=` add and subtract.",
    zh: "`=+` 和 `=-` 赋的是带符号的值，`+=` 和 `-=` 才是加减。",
  },
};

const noneTest = `(comparison_operator . (_) . ["==" "!="] @operator . (none) .)`;
const eitherTest = `[${noneTest} (parenthesized_expression ${noneTest})]`;
/** Only where it is a condition: columns of tables overload `==`, and have no truth of their own. */
const none: Repair = {
  query: `[
    (_ condition: [${eitherTest} (boolean_operator right: ${eitherTest})])
    (boolean_operator left: [${eitherTest} (boolean_operator right: ${eitherTest})])
    (assert_statement . ${eitherTest})
    (if_clause ${eitherTest})
    (conditional_expression (_) . ${eitherTest} . (_))
    (not_operator argument: ${eitherTest})
  ]`,
  by: "{is}",
  says: { en: "`None` is compared by identity.", zh: "与 `None` 的比较应使用 `is`。" },
};

/** A handler that raises again, or ends the program, may clean up after an interrupt, too. */
const bareExcept: Repair = {
  query: String.raw`(except_clause . "except" @operator . ":" (block) @body
    (#not-match? @body "\\b(?:raise|exit|_exit|abort|quit)\\b"))`,
  by: "except Exception",
  says: {
    en: "A bare `except` also catches `KeyboardInterrupt` and `SystemExit`.",
    zh: "裸 `except` 还会捕获 `KeyboardInterrupt` 和 `SystemExit`。",
  },
};

const object = "[(identifier) (field_access) (method_invocation) (array_access)] @value";
const literal = "(string_literal) @text";
const javaEqual = `operator: ["==" "!="] @operator`;
const java: Repair = {
  query: `[(binary_expression left: ${object} ${javaEqual} right: ${literal})
      (binary_expression left: ${literal} ${javaEqual} right: ${object})] @whole`,
  by: "{not}{text}.equals({value})",
  says: {
    en: "`==` compares references, not the text of strings.",
    zh: "`==` 比较的是引用，而不是字符串的内容。",
  },
};

const phpNull: Repair = {
  query: `(binary_expression left: (_) operator: ["==" "!="] @operator right: (null))`,
  by: "{operator}=",
  says: {
    en: "`==` and `!=` take 0, an empty text and an empty list for `null`, too.",
    zh: "`==` 和 `!=` 会把 0、空字符串和空数组也当作 `null`。",
  },
};

const script = [isNan, looseEqual, swappedSign];
const repairs: Partial<Record<CodeLanguage, readonly Repair[]>> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: [none, bareExcept],
  java: [java],
  php: [phpNull],
};

/** All patterns of the rules for a language, in their order; undefined where there are none. */
export function queryOf(language: CodeLanguage | undefined): string | undefined {
  const rules = language && repairs[language];
  return rules?.map(({ query }) => query).join("\n");
}

/**
 * What the rules find in some lines, and the text with the first of it repaired. Comments stay as they are; of two
 * faults that overlap the one that begins first counts.
 *
 * @param analysis of a text that was searched for the rules of its language
 */
export function findFaults(
  range: LineRange,
  { matches, language, source }: CodeAnalysis,
): { faults: (Pick<Repair, "says"> & { line: number })[]; repaired: string } {
  const rules = (language && repairs[language]) ?? [];
  const patches = matches.flatMap((match) => patchOf(rules[match.pattern], match, source.text));
  const faults: ReturnType<typeof findFaults>["faults"] = [];
  const parts: string[] = [];
  let [next, kept] = [0, 0];
  for (const { start, end, text, says } of patches.toSorted((a, b) => a.start - b.start)) {
    const lines = source.rangeOf(start, end);
    if (start < next || !encloses(range, lines)) continue;
    next = end;
    faults.push({ line: lines.startLine, says });
    if (faults.length > maxRepairs) continue;
    parts.push(source.text.slice(kept, start), text);
    kept = end;
  }
  return { faults, repaired: parts.join("") + source.text.slice(kept) };
}

/** What a rule writes where its pattern fits; nothing where a comment would be lost. */
function patchOf(repair: Repair | undefined, { captures }: CodeMatch, text: string): Patch[] {
  if (repair === undefined) return [];
  const { by, says } = repair;
  const at = captures["whole"] === undefined ? "operator" : "whole";
  const [start, end] = captures[at] ?? [0, 0];
  const textOf = (name: string): string => text.slice(...(captures[name] ?? [0, 0]));
  if (end === start || (at === "whole" && /\/[/*]|#/.test(textOf(at)))) return [];
  const isNegated = textOf("operator").startsWith("!");
  const [not, is] = isNegated ? ["!", "is not"] : ["", "is"];
  const words: Record<string, string> = { not, is };
  const written = by.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? textOf(name));
  // A word is kept apart from the words beside it.
  const isJoined = (sign = "", other = ""): boolean => /\w/.test(sign) && /\w/.test(other);
  const before = isJoined(text[start - 1], written[0]) ? " " : "";
  const after = isJoined(written.at(-1), text[end]) ? " " : "";
  return [{ start, end, text: before + written + after, says }];
}
