import cSharp from "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm";
import cpp from "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm";
import go from "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm";
import java from "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm";
import javascript from "@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm";
import php from "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm";
import python from "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm";
import ruby from "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm";
import rust from "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm";
import tsx from "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm";
import typescript from "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm";
import runtime from "web-tree-sitter/web-tree-sitter.wasm";
import type { GrammarSource } from "../code/tree/grammar-source.ts";

const grammars: Readonly<Record<string, WebAssembly.Module>> = {
  "c-sharp": cSharp,
  cpp,
  go,
  java,
  javascript,
  php,
  python,
  ruby,
  rust,
  tsx,
  typescript,
};

/** The bundled grammars, compiled at the deploy: Workers refuse to compile bytes. */
export const grammarSource: GrammarSource = {
  runtime: () => Promise.resolve(runtime),
  grammar: (name) => Promise.resolve(Object.hasOwn(grammars, name) ? grammars[name] : undefined),
};
