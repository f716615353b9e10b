import type { SymbolKind } from "../code-analysis.ts";
import { codeOf, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType } from "../tree/syntax-tree.ts";

export const ruby = defineLanguage({
  language: "ruby",
  ids: ["ruby", "rb"],
  endings: ["rb", "rake", "gemspec", "ru"],
  symbols: [
    ["module", "module"],
    ["class", "class"],
    ["method", "method", { constructorName: "initialize", kindOf: kindOfMethod }],
    ["singleton_method", "method"],
    ["assignment", "variable", { name: "left", nameType: "constant" }],
  ],
  directives: [
    { pattern: /coding\s*[:=]/, lastLine: 2 },
    { pattern: /(?:frozen.string.literal|warn.indent|shareable.constant.value)\s*:/i },
  ],
  docComment: /^#(?!!)|^=begin/,
  imports: [["call", readImport]],
});

function readImport(node: SyntaxNode): string[] {
  const source = childOfType(childOf(node, "arguments"), "string");
  const isImport = /^(?:require|require_relative|load)$/.test(codeOf(childOf(node, "method")));
  return isImport && source !== undefined ? [codeOf(source)] : [];
}

function kindOfMethod({ parent }: SyntaxNode): SymbolKind {
  const isMember = /^(?:body_statement|class|module|singleton_class)$/.test(parent?.type ?? "");
  return isMember ? "method" : "function";
}
