import type { CodeImport } from "../code-analysis.ts";
import { isLogical } from "../tree/branches.ts";
import {
  type Declaration,
  type LanguageRules,
  type TextOf,
  type Visibility,
  lastPart,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, namedChildren } from "../tree/syntax-tree.ts";

const panics: ReadonlySet<string> = new Set(["panic", "unreachable", "todo", "unimplemented"]);

export const rust: LanguageRules = {
  language: "rust",
  grammar: "rust",
  ids: ["rust", "rs"],
  endings: ["rs"],
  symbols: {
    function_item: { kind: "function", read: readFunction },
    function_signature_item: { kind: "function", read: readFunction },
    struct_item: { kind: "struct" },
    union_item: { kind: "struct" },
    enum_item: { kind: "enum" },
    trait_item: { kind: "trait" },
    type_item: { kind: "type", read: readMember("type") },
    associated_type: { kind: "type" },
    mod_item: { kind: "module" },
    const_item: { kind: "variable", isLocalIgnored: true, read: readMember("variable") },
    static_item: { kind: "variable", isLocalIgnored: true },
    field_declaration: { kind: "property", isLocalIgnored: true },
    macro_definition: { kind: "function" },
    let_declaration: { kind: "function", read: readClosure },
  },
  wrappers: [],
  transparent: ["declaration_list", "impl_item"],
  decorators: ["attribute_item"],
  modifiers: ["visibility_modifier", "function_modifiers"],
  parameterList: ["parameters"],
  returnType: ["return_type"],
  body: ["body"],
  parameters: {
    parameter: { name: ["pattern"], type: "type" },
    identifier: { name: [] },
    tuple_pattern: { name: [] },
    variadic_parameter: { name: ["pattern"] },
  },
  comments: ["line_comment", "block_comment"],
  strings: ["string_literal", "raw_string_literal", "char_literal"],
  identifiers: [
    "identifier",
    "field_identifier",
    "type_identifier",
    "shorthand_field_identifier",
    "metavariable",
  ],
  docComment: /^\/\/\/(?!\/)|^\/\*\*(?![*/])/,
  branches: {
    if_expression: { kind: "if", text: "condition" },
    match_arm: { kind: "case", text: "pattern" },
    match_pattern: {
      kind: "guard",
      text: "condition",
      when: (node) => childOf(node, "condition") !== undefined,
    },
    for_expression: { kind: "loop", text: "head" },
    while_expression: { kind: "loop", text: "condition" },
    loop_expression: { kind: "loop", text: "head" },
    return_expression: { kind: "return", text: "rest" },
    binary_expression: { kind: "logical", text: "whole", when: isLogical },
    let_declaration: {
      kind: "guard",
      text: "value",
      when: (node) => childOf(node, "alternative") !== undefined,
    },
    macro_invocation: {
      kind: "throw",
      text: "whole",
      when: (node, textOf) => panics.has(textOf(childOf(node, "macro"))),
    },
  },
  exits: ["return_expression", "break_expression", "continue_expression"],
  imports: {
    use_declaration: (node, textOf) => readUse(childOf(node, "argument"), textOf),
    extern_crate_declaration: (node, textOf) => {
      const source = textOf(childOf(node, "name"));
      return [{ source, names: [textOf(childOf(node, "alias")) || source] }];
    },
  },
  isExported,
};

/** The `impl` block that a node is a member of. */
function implOf(node: SyntaxNode): SyntaxNode | undefined {
  const block = node.parent?.parent;
  return block?.type === "impl_item" ? block : undefined;
}

function ownerOf(node: SyntaxNode, textOf: TextOf): { owner?: string } {
  const owner = /(?<![\p{L}\w])[\p{L}\w]+(?=[<\s]|$)/u.exec(
    textOf(childOf(implOf(node), "type")),
  )?.[0];
  return owner === undefined ? {} : { owner };
}

function readFunction(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return nameNode && { kind: "function", nameNode, ...ownerOf(node, textOf) };
}

function readMember(
  kind: "type" | "variable",
): (node: SyntaxNode, textOf: TextOf) => Declaration | undefined {
  return (node, textOf) => {
    const nameNode = childOf(node, "name");
    return nameNode && { kind, nameNode, ...ownerOf(node, textOf) };
  };
}

function readClosure(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "pattern");
  const callable = childOf(node, "value");
  if (nameNode?.type !== "identifier" || callable?.type !== "closure_expression") return undefined;
  return { kind: "function", nameNode, callable };
}

/** What a trait asks for is as visible as the trait. */
function isExported({ modifiers, holder, node }: Visibility): boolean {
  const isOfTrait = holder === "trait" || childOf(implOf(node), "trait") !== undefined;
  return isOfTrait || [...modifiers].some((modifier) => modifier.startsWith("pub"));
}

type Import = Omit<CodeImport, "range">;

function readUse(node: SyntaxNode | undefined, textOf: TextOf): Import[] {
  if (node === undefined) return [];
  const path = childOf(node, "path");
  const list = childOf(node, "list");
  if (node.type === "use_list") return namedChildren(node).flatMap((item) => readUse(item, textOf));
  if (list !== undefined)
    return [{ source: textOf(path), names: readUse(list, textOf).flatMap(({ names }) => names) }];
  if (node.type === "use_wildcard") return [{ source: textOf(node), names: ["*"] }];
  const alias = childOf(node, "alias");
  const source = textOf(alias === undefined ? node : path);
  return [{ source, names: [alias === undefined ? lastPart(source) : textOf(alias)] }];
}
