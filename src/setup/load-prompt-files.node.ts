import { readFileSync, readdirSync } from "node:fs";
import type { PromptFiles } from "../prompt/prompt-library.ts";

/** Reads the built-in prompts. */
export function loadPromptFiles(): PromptFiles {
  const root = new URL("../prompt/builtin/", import.meta.url);
  const names = readdirSync(root).flatMap((locale) =>
    readdirSync(new URL(`${locale}/`, root)).map((file) => `${locale}/${file}`),
  );
  return Object.fromEntries(
    names.map((name) => [name.replace(/\.liquid$/, ""), readFileSync(new URL(name, root), "utf8")]),
  );
}

/** Reads the page on which a person tries the plugin protocol by hand. */
export function loadTestPage(): string {
  return readFileSync(new URL("../doors/plugin/page/test-page.html", import.meta.url), "utf8");
}
