import { isLogical } from "../tree/branches.ts";
import {
  type Declaration,
  type LanguageRules,
  type TextOf,
  type Visibility,
  unquote,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType } from "../tree/syntax-tree.ts";

export const ruby: LanguageRules = {
  language: "ruby",
  grammar: "ruby",
  ids: ["ruby", "rb"],
  endings: ["rb", "rake", "gemspec", "ru"],
  symbols: {
    module: { kind: "module" },
    class: { kind: "class" },
    method: { kind: "method", read: readMethod },
    singleton_method: { kind: "method" },
    assignment: { kind: "variable", isLocalIgnored: true, read: readConstant },
  },
  wrappers: [],
  decorators: [],
  modifiers: [],
  parameterList: ["parameters"],
  returnType: [],
  body: ["body"],
  parameters: {
    identifier: { name: [] },
    destructured_parameter: { name: [] },
    optional_parameter: { name: ["name"], default: "value" },
    keyword_parameter: { name: ["name"], default: "value" },
    splat_parameter: { name: ["name"] },
    hash_splat_parameter: { name: ["name"] },
    block_parameter: { name: ["name"] },
  },
  comments: ["comment"],
  directives: [
    { pattern: /coding\s*[:=]/, lastLine: 2 },
    { pattern: /(?:frozen.string.literal|warn.indent|shareable.constant.value)\s*:/i },
  ],
  strings: [
    "string",
    "heredoc_body",
    "string_array",
    "symbol_array",
    "delimited_symbol",
    "character",
    "subshell",
    "regex",
    "uninterpreted",
  ],
  identifiers: ["identifier", "constant", "instance_variable", "class_variable", "global_variable"],
  docComment: /^#(?!!)|^=begin/,
  branches: {
    if: { kind: "if", text: "condition" },
    elsif: { kind: "if", text: "condition" },
    unless: { kind: "if", text: "condition" },
    if_modifier: { kind: "if", text: "condition" },
    unless_modifier: { kind: "if", text: "condition" },
    when: { kind: "case", text: "head" },
    in_clause: { kind: "case", text: "pattern" },
    else: { kind: "case", text: "nothing", when: (node) => node.parent?.type === "case" },
    while: { kind: "loop", text: "condition" },
    until: { kind: "loop", text: "condition" },
    for: { kind: "loop", text: "head" },
    while_modifier: { kind: "loop", text: "condition" },
    until_modifier: { kind: "loop", text: "condition" },
    rescue: { kind: "catch", text: "head" },
    call: {
      kind: "throw",
      text: "arguments",
      when: (node, textOf) =>
        textOf(childOf(node, "method")) === "raise" && childOf(node, "receiver") === undefined,
    },
    return: { kind: "return", text: "rest" },
    conditional: { kind: "ternary", text: "condition" },
    binary: { kind: "logical", text: "whole", when: isLogical },
  },
  exits: ["return", "break", "next", "redo", "retry"],
  imports: {
    call: (node, textOf) => {
      const method = textOf(childOf(node, "method"));
      const source = childOfType(childOf(node, "arguments"), "string");
      const isImport = /^(?:require|require_relative|load)$/.test(method) && source !== undefined;
      return isImport ? [{ source: unquote(textOf(source)), names: [] }] : [];
    },
  },
  isExported,
  isAccessMark: (node, textOf) =>
    node.type === "identifier" && /^(?:private|protected|public)$/.test(textOf(node)),
};

function readMethod(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  if (nameNode === undefined) return undefined;
  const isMember = /^(?:body_statement|class|module|singleton_class)$/.test(
    node.parent?.type ?? "",
  );
  const kind = textOf(nameNode) === "initialize" ? "constructor" : isMember ? "method" : "function";
  return { kind, nameNode };
}

function readConstant(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "left");
  return nameNode?.type === "constant" ? { kind: "variable", nameNode } : undefined;
}

/** `private` on a line of its own counts for all methods below it. */
function isExported({ node, textOf, markAbove }: Visibility): boolean {
  const access = markAbove(node);
  return access === undefined || textOf(access) === "public" || node.type !== "method";
}
