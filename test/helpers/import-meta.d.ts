/** What the tests use of Vite's import.meta: the texts of files, on Node as in workerd. */
interface ImportMeta {
  readonly env: Readonly<Record<string, string | undefined>>;
  glob(
    pattern: string,
    options: { query: "?raw"; import: "default"; eager: true },
  ): Record<string, string>;
}
