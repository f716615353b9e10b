const styles: ReadonlyMap<string, string> = new Map([
  ["javascript", "JSDoc"],
  ["javascriptreact", "JSDoc"],
  ["typescript", "JSDoc (TSDoc), without types"],
  ["typescriptreact", "JSDoc (TSDoc), without types"],
  ["python", "Python docstring (PEP 257)"],
  ["go", "Go doc comment"],
  ["java", "Javadoc"],
  ["kotlin", "KDoc"],
  ["scala", "Scaladoc"],
  ["swift", "Swift documentation comment (///)"],
  ["dart", "dartdoc (///)"],
  ["rust", "rustdoc (///)"],
  ["c", "Doxygen"],
  ["cpp", "Doxygen"],
  ["csharp", "C# XML documentation (///)"],
  ["ruby", "YARD"],
  ["php", "PHPDoc"],
  ["r", "roxygen2 (#')"],
]);

/** How doc comments are written in a language, by the editor's language id, in any case. */
export function docStyleOf(language: string): string {
  return styles.get(language.toLowerCase()) ?? "the usual doc comment of the language";
}
