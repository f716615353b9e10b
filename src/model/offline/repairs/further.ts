import { assignment, comparisonWithNan, type Repair, swappedSign } from "./repair.ts";

const compare = (left: string, right: string, rule = ""): string =>
  `(binary_expression left: ${left} operator: ["==" "===" "!=" "!=="] @operator right: ${right} ${rule}) @whole`;
const typed = (left: string, right: string, rule?: string): string =>
  compare(left, right, rule).replace('"===" ', "").replace(' "!=="', "");
const value = "(_) @value";
const named = (...names: string[]): string => `(#any-of? @nan "${names.join('" "')}")`;
const inside = (inner: string): string => `(parenthesized_expression . ${inner} .)`;

const object = "[(identifier) (field_access) (method_invocation) (array_access)] @value";
const text = "(string_literal) @text";
const byReference: Pick<Repair, "writes" | "says"> = {
  writes: { whole: "{not}{text}.equals({value})" },
  says: {
    en: "`==` compares references, not the text of strings.",
    zh: "`==` 比较的是引用，而不是字符串的内容。",
  },
};
const java = [
  { query: typed(object, text), ...byReference },
  { query: typed(text, object), ...byReference },
  comparisonWithNan(
    typed(value, "(field_access (identifier) @type) @nan", named("Double.NaN", "Float.NaN")),
    "{type}.isNaN({value})",
  ),
  assignment("(true) (false)", inside),
  swappedSign(),
];

const nanOfCsharp = named("double.NaN", "float.NaN", "Double.NaN", "Single.NaN");
const csharp = [
  comparisonWithNan(
    typed(value, "(member_access_expression expression: (_) @type) @nan", nanOfCsharp),
    "{type}.IsNaN({value})",
  ),
  assignment("(boolean_literal)"),
  swappedSign("prefix_unary_expression"),
];

/** Without the comparison with NaN: which `isnan` there is depends on what is included. */
const cpp = [
  // With parentheses of its own an assignment is meant.
  assignment(
    "(number_literal) (char_literal) (string_literal) (true) (false) (null)",
    (inner) => `(_ value: ${inner})`,
  ),
  swappedSign(),
];
const nanOfC = typed(value, "(identifier) @nan", named("NAN"));
const c = [comparisonWithNan(nanOfC, "isnan({value})"), ...cpp];

const nanOfGo = typed(value, "(call_expression) @nan", named("math.NaN()"));
const go = [comparisonWithNan(nanOfGo, "math.IsNaN({value})")];

const receiver = "[(identifier) (field_expression) (call_expression)] @value";
const nanOfRust = typed(receiver, "(scoped_identifier) @nan", named("f64::NAN", "f32::NAN"));
const rust = [comparisonWithNan(nanOfRust, "{value}.is_nan()")];

const php = [
  comparisonWithNan(compare(value, "(name) @nan", named("NAN")), "is_nan({value})"),
  {
    query: typed("(_)", "(null)"),
    writes: { operator: "{operator}=" },
    says: {
      en: "`==` and `!=` take 0, an empty text and an empty list for `null`, too.",
      zh: "`==` 和 `!=` 会把 0、空字符串和空数组也当作 `null`。",
    },
  },
  assignment("(integer) (float) (string) (encapsed_string) (boolean) (null)", inside),
  swappedSign("unary_op_expression"),
];

const constantOfRuby = "(integer) (float) (string) (nil) (true) (false)";
const ruby = ["if", "elsif"].map((statement) =>
  assignment(constantOfRuby, undefined, { statement, name: "assignment" }),
);

/** By language. */
export const furtherRepairs = { java, csharp, c, cpp, go, rust, php, ruby };
