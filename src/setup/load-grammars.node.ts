import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { GrammarSource } from "../code/tree/grammar-source.ts";

/** The grammars that are installed with this package; read when they are first asked for. */
export function loadGrammars(): GrammarSource {
  const find = (file: string): string => fileURLToPath(import.meta.resolve(file));
  return {
    runtime: () => readFile(find("web-tree-sitter/web-tree-sitter.wasm")),
    grammar: (name) => readFile(find(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  };
}
