import type { Repair } from "./repair.ts";

const comparison = `(comparison_operator . (_) . ["==" "!="] @operator . (none) .)`;
const noneTest = `[${comparison} (parenthesized_expression ${comparison})]`;
const literal = `[(integer) (float) (string) (concatenated_string) (tuple) (list) (dictionary) (set)
  (unary_operator argument: [(integer) (float)])]`;
const isTest = `["is" "is not"] @operator`;
/** Caches, and what is not empty, may be shared between calls on purpose. */
const isMutable = String.raw`(#match? @value "^(?:\\[ *\\]|\\{ *\\}|(?:list|dict|set)\\(\\))$")
  (#not-match? @name "^_|cache|memo|registry|counter")`;
const body = `body: (block . (expression_statement (string))? . (_) @first)
  (#not-match? @first "^[a-zA-Z]{0,2}[\\"']")`;

export const pythonRepairs: readonly Repair[] = [
  {
    // Only where it is a condition: columns of tables overload `==`, and have no truth of their own.
    query: `[
      (_ condition: ${noneTest})
      (assert_statement . ${noneTest})
      (if_clause ${noneTest})
      (conditional_expression (_) . ${noneTest} . (_))
      (not_operator argument: ${noneTest})
      (boolean_operator left: ${noneTest})
      (_ condition: (boolean_operator right: ${noneTest}))
      (boolean_operator left: (boolean_operator right: ${noneTest}))
    ]`,
    writes: { operator: { "==": "is", "!=": "is not" } },
    says: { en: "`None` is compared by identity.", zh: "与 `None` 的比较应使用 `is`。" },
  },
  {
    query: `[(comparison_operator . (_) . ${isTest} . ${literal} .)
      (comparison_operator . ${literal} . ${isTest} . [(identifier) (attribute) (call) (subscript)] .)]`,
    writes: { operator: { is: "==", "is not": "!=" } },
    says: {
      en: "`is` asks whether both are the same object, not whether they are equal.",
      zh: "`is` 判断的是两者是否为同一对象，而不是是否相等。",
    },
  },
  {
    query: `(function_definition
      parameters: (parameters [
        (default_parameter name: (identifier) @name value: (_) @value)
        (typed_default_parameter name: (identifier) @name type: (_) @type value: (_) @value)])
      ${body} ${isMutable} (#not-match? @type "[\\"']|None|Optional")) @whole`,
    writes: { value: "None", type: "{type} | None" },
    above: "if {name} is None:\n\t{name} = {value}",
    says: {
      en: "The default value is made once, so all calls share it and see what others have changed in it.",
      zh: "默认值只创建一次，所有调用共用它，一次调用所做的修改会影响其他调用。",
    },
  },
  {
    // A handler that raises again, or ends the program, may clean up after an interrupt, too.
    query: String.raw`(except_clause . "except" @operator . ":" (block) @body
      (#not-match? @body "\\b(?:raise|exit|_exit|abort|quit)\\b"))`,
    writes: { operator: "except Exception" },
    says: {
      en: "A bare `except` also catches `KeyboardInterrupt` and `SystemExit`.",
      zh: "裸 `except` 还会捕获 `KeyboardInterrupt` 和 `SystemExit`。",
    },
  },
  {
    query: `(raise_statement . [(identifier) @whole (call function: (identifier) @whole)]
      (#eq? @whole "NotImplemented"))`,
    writes: { whole: "NotImplementedError" },
    says: {
      en: "`NotImplemented` is not an exception and cannot be raised.",
      zh: "`NotImplemented` 不是异常，不能抛出。",
    },
  },
  {
    query: `(assert_statement . (tuple . (_) @test . (string) @message .) @whole .)`,
    writes: { whole: "{test}, {message}" },
    says: {
      en: "A tuple that holds something is always true, so the assertion never fails.",
      zh: "非空元组总是为真，因此这个断言永远不会失败。",
    },
  },
];
