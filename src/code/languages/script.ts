import {
  codeOf,
  type BareImport,
  type Declaration,
  defineLanguage,
  kindOfValue,
  type LanguageRules,
  unquote,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const javascript = defineLanguage({
  language: "javascript",
  ids: ["javascript", "javascriptreact", "ecmascript 6", "jsx", "jsx harmony", "js", "node"],
  endings: ["js", "jsx", "mjs", "cjs"],
  symbols: [
    ["function_declaration generator_function_declaration function_signature", "function"],
    ["class_declaration abstract_class_declaration", "class"],
    ["interface_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["type_alias_declaration", "type", { isLocalIgnored: true }],
    ["internal_module module", "module"],
    ["method_definition", "method", { constructorName: "constructor" }],
    ["method_signature abstract_method_signature", "method"],
    ["property_signature", "property"],
    ["public_field_definition field_definition", "property", { name: "name property" }],
    ["variable_declarator", "variable"],
    ["pair", "method", { name: "key", isFunction: true }],
    ["assignment_expression", "function", { read: readAssignment }],
    ["export_statement", "variable", { read: readDefault }],
  ],
  directives: [
    { pattern: /[@#]__\w+__|\b(?:webpack|turbopack)[A-Z]\w*\s*:|@vite-ignore/ },
    { pattern: /^\/\*[\s*]*@jsx|@(?:jsxImportSource|jsxRuntime|jsxFrag)\b/ },
    { pattern: /^\/\/\/\s*<|@(?:vitest|jest)-environment\b/ },
  ],
  docComment: /^\/\*\*(?!\/)/,
  imports: {
    import_statement: readImport,
    export_statement: readImport,
    variable_declarator: readRequire,
  },
});

export const typescript: LanguageRules = {
  ...javascript,
  language: "typescript",
  grammar: "typescript",
  ids: ["typescript", "ts"],
  endings: ["ts", "mts", "cts"],
};

export const tsx: LanguageRules = {
  ...javascript,
  language: "tsx",
  grammar: "tsx",
  ids: ["typescriptreact", "typescript jsx", "tsx"],
  endings: ["tsx"],
};

/** `exports.name = function` and `Type.prototype.name = function`. */
function readAssignment(node: SyntaxNode): Declaration | undefined {
  const callable = childOf(node, "right");
  const left = childOf(node, "left");
  const nameNode = childOf(left, "property");
  if (callable === undefined || nameNode === undefined) return undefined;
  if (node.parent?.type !== "expression_statement") return undefined;
  const kind = kindOfValue(callable);
  const owner = codeOf(childOf(left, "object"));
  if (kind === "variable") return undefined;
  if (/^(?:module\.)?exports$/.test(owner)) return { kind, nameNode, callable };
  const type = /^([\p{L}\w$]+)\.prototype$/u.exec(owner)?.[1];
  return type === undefined ? undefined : { kind: "method", nameNode, callable, owner: type };
}

/** What `export default` gives without a name. */
function readDefault(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOfType(node, "default");
  const callable = childOf(node, "value");
  if (nameNode === undefined || callable === undefined || callable.type === "identifier")
    return undefined;
  return { kind: kindOfValue(callable), nameNode, callable };
}

function readImport(node: SyntaxNode): BareImport[] {
  const source =
    childOf(node, "source") ?? childOf(childOfType(node, "import_require_clause"), "source");
  if (source === undefined) return [];
  const clause = childOfType(node, "import_clause", "import_require_clause");
  return [{ source: unquote(codeOf(source)), names: clause === undefined ? [] : namesIn(clause) }];
}

function namesIn(clause: SyntaxNode): string[] {
  return namedChildren(clause).flatMap((child) => {
    if (child.type === "identifier") return [codeOf(child)];
    if (child.type === "import_specifier")
      return [codeOf(childOf(child, "alias") ?? childOf(child, "name"))];
    return child.type === "string" ? [] : namesIn(child);
  });
}

function readRequire(node: SyntaxNode): BareImport[] {
  const value = childOf(node, "value");
  if (value?.type !== "call_expression" || codeOf(childOf(value, "function")) !== "require")
    return [];
  const source = childOfType(childOf(value, "arguments"), "string");
  const name = childOf(node, "name");
  if (source === undefined || name === undefined) return [];
  const names =
    name.type === "identifier" ? [name] : name.children.filter(({ isNamed }) => isNamed);
  return [
    {
      source: unquote(codeOf(source)),
      names: names.map((item) => codeOf(childOf(item, "value") ?? item)),
    },
  ];
}
