/** Wrangler bundles these as text (the rule in wrangler.toml). */
declare module "*.liquid" {
  const text: string;
  export default text;
}
