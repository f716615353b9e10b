import { type Declaration, defineLanguage, type TextOf, unquote } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType } from "../tree/syntax-tree.ts";

export const ruby = defineLanguage({
  language: "ruby",
  ids: ["ruby", "rb"],
  endings: ["rb", "rake", "gemspec", "ru"],
  symbols: [
    ["module", "module"],
    ["class", "class"],
    ["method", "method", { read: readMethod }],
    ["singleton_method", "method"],
    ["assignment", "variable", { name: "left", nameType: "constant" }],
  ],
  directives: [
    { pattern: /coding\s*[:=]/, lastLine: 2 },
    { pattern: /(?:frozen.string.literal|warn.indent|shareable.constant.value)\s*:/i },
  ],
  docComment: /^#(?!!)|^=begin/,
  imports: {
    call: (node, textOf) => {
      const method = textOf(childOf(node, "method"));
      const source = childOfType(childOf(node, "arguments"), "string");
      const isImport = /^(?:require|require_relative|load)$/.test(method) && source !== undefined;
      return isImport ? [{ source: unquote(textOf(source)), names: [] }] : [];
    },
  },
});

function readMethod(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  if (nameNode === undefined) return undefined;
  const isMember = /^(?:body_statement|class|module|singleton_class)$/.test(
    node.parent?.type ?? "",
  );
  const kind = textOf(nameNode) === "initialize" ? "constructor" : isMember ? "method" : "function";
  return { kind, nameNode };
}
