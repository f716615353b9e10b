import { readFileSync, readdirSync } from "node:fs";
import { promptsIn, type PromptFiles } from "../prompt/prompt-library.ts";

/** Reads the built-in prompts, which are in the folders of their commands. */
export function loadPromptFiles(): PromptFiles {
  const root = new URL("../flows/", import.meta.url);
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".liquid"))
      .flatMap((path) =>
        promptsIn(path, readFileSync(new URL(path.replaceAll("\\", "/"), root), "utf8")),
      ),
  );
}

/** Reads the page on which a person tries the plugin protocol by hand. */
export function loadTestPage(): string {
  return readFileSync(new URL("../doors/plugin/page/test-page.html", import.meta.url), "utf8");
}
