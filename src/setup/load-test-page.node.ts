import { readFileSync } from "node:fs";

/** Reads the page on which a person tries the plugin protocol by hand. */
export function loadTestPage(): string {
  return readFileSync(new URL("../doors/plugin/page/test-page.html", import.meta.url), "utf8");
}
