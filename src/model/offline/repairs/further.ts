import { assignmentSays, nanSays, type Repair } from "./repair.ts";

const comparesWith = (left: string, right: string): string =>
  `(binary_expression left: ${left} operator: ["==" "!="] @operator right: ${right}`;
const value = "(_) @value";

const object = "[(identifier) (field_access) (method_invocation) (array_access)] @value";
const stringIdentity: Repair["says"] = {
  en: "`==` compares references, not the text of strings.",
  zh: "`==` 比较的是引用，而不是字符串的内容。",
};

export const javaRepairs: readonly Repair[] = [
  {
    query: `${comparesWith(object, "(string_literal) @text")}) @whole`,
    writes: { whole: "{not}{text}.equals({value})" },
    says: stringIdentity,
  },
  {
    query: `${comparesWith("(string_literal) @text", object)}) @whole`,
    writes: { whole: "{not}{text}.equals({value})" },
    says: stringIdentity,
  },
  {
    query: `${comparesWith(value, "(field_access object: (identifier) @type) @nan")}
      (#any-of? @nan "Double.NaN" "Float.NaN")) @whole`,
    writes: { whole: "{not}{type}.isNaN({value})" },
    says: nanSays,
  },
  {
    query: `(if_statement condition: (parenthesized_expression . (assignment_expression
      "=" @operator right: [(true) (false)]) .))`,
    writes: { operator: "==" },
    says: assignmentSays,
  },
];

export const csharpRepairs: readonly Repair[] = [
  {
    query: `${comparesWith(value, "(member_access_expression expression: (_) @type) @nan")}
      (#any-of? @nan "double.NaN" "float.NaN" "Double.NaN" "Single.NaN")) @whole`,
    writes: { whole: "{not}{type}.IsNaN({value})" },
    says: nanSays,
  },
  {
    query: `(if_statement condition: (assignment_expression "=" @operator right: (boolean_literal)))`,
    writes: { operator: "==" },
    says: assignmentSays,
  },
];

const assignmentOfC: Repair = {
  // With parentheses of its own an assignment is meant.
  query: `(if_statement condition: (_ value: (assignment_expression
    "=" @operator
    right: [(number_literal) (char_literal) (string_literal) (true) (false) (null)])))`,
  writes: { operator: "==" },
  says: assignmentSays,
};

export const cRepairs: readonly Repair[] = [
  {
    query: `${comparesWith(value, "(identifier) @nan")} (#eq? @nan "NAN")) @whole`,
    writes: { whole: "{not}isnan({value})" },
    says: nanSays,
  },
  assignmentOfC,
];

/** Without the one of NaN: it depends on what is included which `isnan` there is. */
export const cppRepairs: readonly Repair[] = [assignmentOfC];

export const goRepairs: readonly Repair[] = [
  {
    query: `${comparesWith(value, "(call_expression) @nan")} (#eq? @nan "math.NaN()")) @whole`,
    writes: { whole: "{not}math.IsNaN({value})" },
    says: nanSays,
  },
];

export const phpRepairs: readonly Repair[] = [
  {
    query: `(binary_expression
      left: (_) @value operator: ["==" "===" "!=" "!=="] @operator right: (name) @nan
      (#eq? @nan "NAN")) @whole`,
    writes: { whole: "{not}is_nan({value})" },
    says: nanSays,
  },
  {
    query: `${comparesWith("(_)", "(null)")})`,
    writes: { operator: "{operator}=" },
    says: {
      en: "`==` and `!=` take 0, an empty text and an empty list for `null`, too.",
      zh: "`==` 和 `!=` 会把 0、空字符串和空数组也当作 `null`。",
    },
  },
  {
    query: `(if_statement condition: (parenthesized_expression . (assignment_expression
      "=" @operator right: [(integer) (float) (string) (encapsed_string) (boolean) (null)]) .))`,
    writes: { operator: "==" },
    says: assignmentSays,
  },
];

const constantOfRuby = "[(integer) (float) (string) (nil) (true) (false)]";

export const rubyRepairs: readonly Repair[] = [
  {
    query: `([(if condition: (assignment "=" @operator right: ${constantOfRuby}))
      (elsif condition: (assignment "=" @operator right: ${constantOfRuby}))])`,
    writes: { operator: "==" },
    says: assignmentSays,
  },
];

export const rustRepairs: readonly Repair[] = [
  {
    query: `${comparesWith("[(identifier) (field_expression) (call_expression)] @value", "(scoped_identifier) @nan")}
      (#any-of? @nan "f64::NAN" "f32::NAN")) @whole`,
    writes: { whole: "{not}{value}.is_nan()" },
    says: nanSays,
  },
];
