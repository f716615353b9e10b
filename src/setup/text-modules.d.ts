/** Wrangler bundles these as text (the rule in wrangler.toml). */
declare module "*.txt" {
  const text: string;
  export default text;
}

/** The same rule. */
declare module "*.html" {
  const text: string;
  export default text;
}

/** Wrangler compiles these at the deploy. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
