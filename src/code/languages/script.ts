import {
  codeOf,
  type Declaration,
  defineLanguage,
  kindOfValue,
  type LanguageRules,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType } from "../tree/syntax-tree.ts";

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
  imports: [
    ["import_statement export_statement import_require_clause", "source"],
    ["variable_declarator", readRequire],
  ],
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

function readRequire(node: SyntaxNode): string[] {
  const value = childOf(node, "value");
  const isCall = value?.type === "call_expression";
  const source = childOfType(childOf(value, "arguments"), "string");
  const isImport = isCall && codeOf(childOf(value, "function")) === "require";
  return isImport && source !== undefined ? [codeOf(source)] : [];
}
