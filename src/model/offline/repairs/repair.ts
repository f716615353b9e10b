import type { Locale } from "../../../base/errors/locale.ts";

/** A fault that its pattern shows for certain, and what to write instead. */
export interface Repair {
  /** One pattern of tree-sitter. What it captures as `operator` tells whether a comparison is negated. */
  query: string;
  /**
   * New texts by capture, if there is one, or by capture and its old text. In them `{name}` stands for the text of a capture,
   * and `{not}` for `!` where the operator is negated.
   */
  writes: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Lines above the statement that was captured as `first`; a tab stands for a step of indentation. */
  above?: string;
  /** What is wrong, as a sentence. */
  says: Readonly<Record<Locale, string>>;
}

/** @param query captures `whole`, `value` and `operator` */
export function comparisonWithNan(query: string, test: string): Repair {
  return {
    query,
    writes: { whole: `{not}${test}` },
    says: {
      en: "NaN is not equal to anything, not even to itself.",
      zh: "NaN 与任何值都不相等，包括它自己。",
    },
  };
}

/** @param around what the condition holds the assignment in */
export function assignment(
  constants: string,
  around: (inner: string) => string = (inner) => inner,
  { statement = "if_statement", name = "assignment_expression", operator = "==" } = {},
): Repair {
  const inner = `(${name} "=" @operator right: [${constants}])`;
  return {
    query: `(${statement} condition: ${around(inner)})`,
    writes: { operator },
    says: {
      en: "The condition assigns a constant instead of comparing with it, so it always gives the same result.",
      zh: "条件中把常量赋给了变量，而不是与它比较，因此结果总是一样。",
    },
  };
}

/** `x =+ y` as a statement. Assigning a name's own value with a sign converts it, and is meant. */
export function swappedSign(unary = "unary_expression"): Repair {
  const signed = `(${unary} . ["+" "-"] @sign . (_) @value)`;
  const left = `(binary_expression left: ${signed})`;
  return {
    query: `(expression_statement (assignment_expression left: (_) @left "=" @operator
      right: [${signed} ${left} (binary_expression left: ${left})]) @all
      (#match? @all "^[^=]* =[+-] ") (#not-eq? @left @value))`,
    writes: { operator: "{sign}=", sign: "" },
    says: {
      en: "`=+` and `=-` assign a value with a sign; `+=` and `-=` add and subtract.",
      zh: "`=+` 和 `=-` 赋的是带符号的值，`+=` 和 `-=` 才是加减。",
    },
  };
}
