import type { SymbolKind } from "../code-analysis.ts";
import {
  branchesOfC,
  type Declaration,
  defineLanguage,
  exitsOfC,
  lastPart,
  type TextOf,
  unquote,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

const kinds: Readonly<Record<string, SymbolKind>> = {
  struct_type: "struct",
  interface_type: "interface",
};

export const go = defineLanguage({
  language: "go",
  ids: ["go", "golang"],
  endings: ["go"],
  symbols: [
    ["function_declaration", "function"],
    ["method_declaration", "method", { read: readMethod }],
    ["method_elem", "method"],
    ["type_spec", "type", { read: readType }],
    ["type_alias", "type"],
    ["field_declaration", "property", { isLocalIgnored: true }],
    ["const_spec", "variable", { isLocalIgnored: true }],
    ["var_spec", "variable", { isLocalIgnored: true, read: readVariable }],
    ["short_var_declaration", "function", { read: readVariable }],
  ],
  wrappers: "type_declaration const_declaration var_declaration var_spec_list",
  returnType: "result",
  body: "body field_declaration_list",
  parameters: [["parameter_declaration variadic_parameter_declaration", "name", "type"]],
  directives: [
    { pattern: /^\/[/*](?:go:|line |export |extern |\s*\+build )/ },
    // What is above the import of "C" is compiled as C.
    { pattern: /^/, above: /^[ \t]*(?:import[ \t]*)?(?:\([ \t]*)?"C"[ \t;)]*$/m },
  ],
  strings: "interpreted_string_literal raw_string_literal rune_literal",
  identifiers: "identifier field_identifier type_identifier package_identifier label_name",
  docComment: /^\/(?:\/(?!go:)|\*)/,
  branches: [
    ...branchesOfC,
    ["expression_case", "case", "value"],
    ["communication_case", "case", "communication"],
    ["type_case default_case", "case", "head"],
    [
      "call_expression",
      "throw",
      "arguments",
      (node, textOf) => textOf(childOf(node, "function")) === "panic",
    ],
  ],
  exits: `${exitsOfC} goto_statement`,
  imports: {
    import_spec: (node, textOf) => {
      const source = unquote(textOf(childOf(node, "path")));
      const name = childOf(node, "name");
      return [{ source, names: [name === undefined ? lastPart(source) : textOf(name)] }];
    },
  },
  isExported: ({ name }) => /^\p{Lu}/u.test(name),
});

function readMethod(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const receiver = childOfType(childOf(node, "receiver"), "parameter_declaration");
  const owner = /[\p{L}\w]+/u.exec(textOf(childOf(receiver, "type")))?.[0];
  return nameNode && { kind: "method", nameNode, ...(owner === undefined ? {} : { owner }) };
}

function readType(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const type = childOf(node, "type");
  const kind = kinds[type?.type ?? ""] ?? "type";
  if (nameNode === undefined || type === undefined) return undefined;
  return kind === "type" ? { kind, nameNode } : { kind, nameNode, callable: type };
}

/** A variable of the package, or anywhere a name for a function. */
function readVariable(node: SyntaxNode): Declaration | undefined {
  const left = childOf(node, "left");
  const nameNode = childOf(node, "name") ?? (left && namedChildren(left)[0]);
  const values = childOf(node, "value") ?? childOf(node, "right");
  const callable = values && namedChildren(values)[0];
  if (nameNode === undefined) return undefined;
  if (callable?.type === "func_literal")
    return { kind: "function", nameNode, callable, isLocalIgnored: false };
  return left === undefined ? { kind: "variable", nameNode } : undefined;
}
