import { assignment, comparisonWithNan, type Repair, swappedSign } from "./repair.ts";

const nan = `[(identifier) (member_expression)] @nan`;
const operator = `operator: ["==" "===" "!=" "!=="] @operator`;

/** Of JavaScript and TypeScript. */
export const scriptRepairs: readonly Repair[] = [
  comparisonWithNan(
    `([(binary_expression left: (_) @value ${operator} right: ${nan})
       (binary_expression left: ${nan} ${operator} right: (_) @value)] @whole
      (#any-of? @nan "NaN" "Number.NaN") (#not-any-of? @value "NaN" "Number.NaN"))`,
    "Number.isNaN({value})",
  ),
  assignment(
    "(number) (string) (true) (false) (null) (undefined) (unary_expression (number))",
    (inner) => `(parenthesized_expression . ${inner} .)`,
    { operator: "===" },
  ),
  swappedSign(),
  {
    query: `(binary_expression
      left: (unary_expression operator: "!" argument: (_) @value)
      operator: ["in" "instanceof"] @test right: (_) @right) @whole`,
    writes: { whole: "!({value} {test} {right})" },
    says: {
      en: "`!` applies to the left operand alone, not to the result of the test.",
      zh: "`!` 只作用于左侧的操作数，而不是整个判断的结果。",
    },
  },
  {
    // Comparing with null loosely also finds undefined, and with a truth value what counts as one: both are meant.
    query: String.raw`(binary_expression
      left: (_) @left operator: ["==" "!="] @operator right: (_) @right
      (#not-match? @left "^\\(*(?:null|undefined|true|false|void .*)\\)*$")
      (#not-match? @right "^\\(*(?:null|undefined|true|false|void .*)\\)*$"))`,
    writes: { operator: "{operator}=" },
    says: {
      en: "`==` and `!=` convert their operands; the strict form compares them as they are.",
      zh: "`==` 和 `!=` 会转换操作数，严格形式按原值比较。",
    },
  },
];
