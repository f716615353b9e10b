import type { CodeImport, SymbolKind } from "../code-analysis.ts";
import {
  type Declaration,
  defineLanguage,
  isLogical,
  lastPart,
  type TextOf,
  type Visibility,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, namedChildren } from "../tree/syntax-tree.ts";

const panics: ReadonlySet<string> = new Set(["panic", "unreachable", "todo", "unimplemented"]);

export const rust = defineLanguage({
  language: "rust",
  ids: ["rust", "rs"],
  endings: ["rs"],
  symbols: [
    ["function_item function_signature_item", "function", { read: readMember("function") }],
    ["struct_item union_item", "struct"],
    ["enum_item", "enum"],
    ["trait_item", "trait"],
    ["type_item", "type", { read: readMember("type") }],
    ["associated_type", "type"],
    ["mod_item", "module"],
    ["const_item", "variable", { isLocalIgnored: true, read: readMember("variable") }],
    ["static_item", "variable", { isLocalIgnored: true }],
    ["field_declaration", "property", { isLocalIgnored: true }],
    ["macro_definition", "function"],
    [
      "let_declaration",
      "function",
      {
        name: "pattern",
        nameType: "identifier",
        value: "value",
        functions: "closure_expression",
        isFunction: true,
      },
    ],
  ],
  transparent: "declaration_list impl_item",
  decorators: "attribute_item",
  modifiers: "visibility_modifier function_modifiers",
  returnType: "return_type",
  parameters: [
    ["parameter", "pattern", "type"],
    ["identifier tuple_pattern", ""],
    ["variadic_parameter", "pattern"],
  ],
  comments: "line_comment block_comment",
  strings: "string_literal raw_string_literal char_literal",
  identifiers:
    "identifier field_identifier type_identifier shorthand_field_identifier metavariable",
  docComment: /^\/\/\/(?!\/)|^\/\*\*(?![*/])/,
  branches: [
    ["if_expression", "if", "condition"],
    ["match_arm", "case", "pattern"],
    ["match_pattern", "guard", "condition", (node) => childOf(node, "condition") !== undefined],
    ["for_expression loop_expression", "loop", "head"],
    ["while_expression", "loop", "condition"],
    ["return_expression", "return", "rest"],
    ["binary_expression", "logical", "whole", isLogical],
    ["let_declaration", "guard", "value", (node) => childOf(node, "alternative") !== undefined],
    [
      "macro_invocation",
      "throw",
      "whole",
      (node, textOf) => panics.has(textOf(childOf(node, "macro"))),
    ],
  ],
  exits: "return_expression break_expression continue_expression",
  imports: {
    use_declaration: (node, textOf) => readUse(childOf(node, "argument"), textOf),
    extern_crate_declaration: (node, textOf) => {
      const source = textOf(childOf(node, "name"));
      return [{ source, names: [textOf(childOf(node, "alias")) || source] }];
    },
  },
  isExported,
});

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

function readMember(
  kind: SymbolKind,
): (node: SyntaxNode, textOf: TextOf) => Declaration | undefined {
  return (node, textOf) => {
    const nameNode = childOf(node, "name");
    return nameNode && { kind, nameNode, ...ownerOf(node, textOf) };
  };
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
