// Lints and compiles the script of the test page, which is part of its HTML, where neither tool would see it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run } from "./run.ts";

const fewestLines = 100;

const page = readFileSync(`${root}src/doors/plugin/page/test-page.html`, "utf8");
const [above = "", behind = ""] = page.split("<script>");
const [script = ""] = behind.split("</script>");
const folder = mkdtempSync(join(tmpdir(), "rightseat-page-"));
const file = join(folder, "test-page.js");
// With the lines of the page, so that what is found has its place there.
writeFileSync(file, above.replaceAll(/[^\n]/g, "") + script);

const types =
  "--ignoreConfig --noEmit --allowJs --checkJs --strict false --target ES2024 --lib ES2024,DOM,DOM.Iterable --noUnusedLocals";
const outcomes = [
  run("oxlint", ["-c", ".oxlintrc.json", file]),
  run("tsc", [...types.split(" "), file]),
];
rmSync(folder, { recursive: true });

for (const { ok, text } of outcomes) if (!ok) console.error(text);
const lines = script.split("\n").length;
if (lines < fewestLines) console.error(`only ${lines} lines of script were found`);
console.log(`page: ${lines} lines of script`);
process.exitCode = lines >= fewestLines && outcomes.every(({ ok }) => ok) ? 0 : 1;
