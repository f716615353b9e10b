import { codeOf, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf } from "../tree/syntax-tree.ts";

export const python = defineLanguage({
  language: "python",
  ids: ["python", "py"],
  endings: ["py", "pyi", "pyw"],
  symbols: [
    ["function_definition", "function", { constructorName: "__init__" }],
    ["class_definition", "class"],
    [
      "assignment",
      "variable",
      {
        name: "left",
        nameType: "identifier",
        within: "expression_statement",
      },
    ],
    ["type_alias_statement", "type", { name: "left" }],
  ],
  // PEP 263, and the compiler's settings of Cython.
  directives: [
    { pattern: /coding[:=]\s*[-\w.]+/, lastLine: 2 },
    { pattern: /^#\s*(?:cython|distutils)\s*:/ },
  ],
  docComment: /^#/,
  // Bytes are no text, and a string with values in it runs.
  docstring: /^[ru]?["']/i,
  imports: [
    ["import_statement", readImport],
    ["import_from_statement future_import_statement", "module_name __future__"],
  ],
});

function readImport(node: SyntaxNode): string[] {
  const items = node.children.filter(({ field }) => field === "name");
  return items.map((item) => codeOf(childOf(item, "name") ?? item));
}
