import { codeOf, type BareImport, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

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
  imports: {
    import_statement: (node) =>
      importedNames(node).map(({ name, alias }) => ({ source: name, names: [alias] })),
    import_from_statement: readFrom,
    future_import_statement: readFrom,
  },
});

function importedNames(node: SyntaxNode): { name: string; alias: string }[] {
  return node.children
    .filter(({ field }) => field === "name")
    .map((item) => {
      const name = codeOf(childOf(item, "name") ?? item);
      return { name, alias: codeOf(childOf(item, "alias")) || name };
    });
}

function readFrom(node: SyntaxNode): BareImport[] {
  const source = childOf(node, "module_name") ?? childOfType(node, "__future__");
  const names = importedNames(node).map(({ alias }) => alias);
  const all = namedChildren(node).some(({ type }) => type === "wildcard_import") ? ["*"] : [];
  return [{ source: codeOf(source), names: [...names, ...all] }];
}
