import { assignment, comparisonWithNan, type Repair } from "./repair.ts";

const compare = (left: string, right: string): string =>
  `(binary_expression left: ${left} operator: ["==" "!="] @operator right: ${right}`;
const value = "(_) @value";
const object = "[(identifier) (field_access) (method_invocation) (array_access)] @value";
const text = "(string_literal) @text";

const stringIdentity: Pick<Repair, "writes" | "says"> = {
  writes: { whole: "{not}{text}.equals({value})" },
  says: {
    en: "`==` compares references, not the text of strings.",
    zh: "`==` 比较的是引用，而不是字符串的内容。",
  },
};

export const javaRepairs: readonly Repair[] = [
  { query: `${compare(object, text)}) @whole`, ...stringIdentity },
  { query: `${compare(text, object)}) @whole`, ...stringIdentity },
  comparisonWithNan(
    `${compare(value, "(field_access object: (identifier) @type) @nan")}
      (#any-of? @nan "Double.NaN" "Float.NaN"))`,
    "{type}.isNaN({value})",
  ),
  assignment("(true) (false)", (inner) => `(parenthesized_expression . ${inner} .)`),
];

export const csharpRepairs: readonly Repair[] = [
  comparisonWithNan(
    `${compare(value, "(member_access_expression expression: (_) @type) @nan")}
      (#any-of? @nan "double.NaN" "float.NaN" "Double.NaN" "Single.NaN"))`,
    "{type}.IsNaN({value})",
  ),
  assignment("(boolean_literal)", (inner) => inner),
];

/** With parentheses of its own an assignment is meant. */
const assignmentOfC = assignment(
  "(number_literal) (char_literal) (string_literal) (true) (false) (null)",
  (inner) => `(_ value: ${inner})`,
);

export const cRepairs: readonly Repair[] = [
  comparisonWithNan(`${compare(value, "(identifier) @nan")} (#eq? @nan "NAN"))`, "isnan({value})"),
  assignmentOfC,
];

/** Without the one of NaN: which `isnan` there is depends on what is included. */
export const cppRepairs: readonly Repair[] = [assignmentOfC];

export const goRepairs: readonly Repair[] = [
  comparisonWithNan(
    `${compare(value, "(call_expression) @nan")} (#eq? @nan "math.NaN()"))`,
    "math.IsNaN({value})",
  ),
];

export const rustRepairs: readonly Repair[] = [
  comparisonWithNan(
    `${compare("[(identifier) (field_expression) (call_expression)] @value", "(scoped_identifier) @nan")}
      (#any-of? @nan "f64::NAN" "f32::NAN"))`,
    "{value}.is_nan()",
  ),
];

export const phpRepairs: readonly Repair[] = [
  comparisonWithNan(
    `(binary_expression left: (_) @value operator: ["==" "===" "!=" "!=="] @operator
      right: (name) @nan (#eq? @nan "NAN"))`,
    "is_nan({value})",
  ),
  {
    query: `${compare("(_)", "(null)")})`,
    writes: { operator: "{operator}=" },
    says: {
      en: "`==` and `!=` take 0, an empty text and an empty list for `null`, too.",
      zh: "`==` 和 `!=` 会把 0、空字符串和空数组也当作 `null`。",
    },
  },
  assignment(
    "(integer) (float) (string) (encapsed_string) (boolean) (null)",
    (inner) => `(parenthesized_expression . ${inner} .)`,
  ),
];

export const rubyRepairs: readonly Repair[] = ["if", "elsif"].map((statement) =>
  assignment("(integer) (float) (string) (nil) (true) (false)", (inner) => inner, {
    statement,
    name: "assignment",
  }),
);
