// Apart from what uses it, so that whoever compiles against our types needs none of web-tree-sitter's,
// which do not compile without those of Emscripten.

/** Where the WebAssembly comes from: bytes, or modules where the platform compiles none itself. */
export interface GrammarSource {
  /** `web-tree-sitter.wasm`. */
  runtime(): Promise<Uint8Array | WebAssembly.Module>;
  /** `tree-sitter-<name>.wasm`; undefined if there is none. */
  grammar(name: string): Promise<Uint8Array | WebAssembly.Module | undefined>;
}

/** What a grammar may take for a text. */
export interface TreeLimits {
  /** Milliseconds; the parser does not look at the clock in all of its work. */
  maxTime: number;
  /** Looks of the parser at the clock, one each hundred steps: 40,000 take about 1 s on a usual machine. */
  maxLooks: number;
  now: () => number;
}
