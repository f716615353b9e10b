// Prints the table of settings from src/setup/settings.ts. `--check` exits with 1 where docs/settings.md
// has another one, `--write` puts it there.
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "../src/setup/settings.ts";
import { code, printTable, withPart } from "./print-table.ts";
import { root } from "./run.ts";

const page = `${root}docs/settings.md`;

const table = printTable([
  ["In `rightseat.json`", "Environment", "Default", "Meaning"],
  ...Object.entries(settings).map(([name, { variables, schema, about, secret }]) => [
    code(name),
    variables.map(code).join(", "),
    printDefault(schema.safeParse(undefined).data, unitOf(variables, about)),
    secret ? `${about} (secret)` : about,
  ]),
]);

if (process.argv.includes("--check")) check();
else if (process.argv.includes("--write")) writeFileSync(page, withTable());
else console.log(table);

function check(): void {
  const isCurrent = readFileSync(page, "utf8") === withTable();
  if (isCurrent) console.log(`settings: ${Object.keys(settings).length} in docs/settings.md`);
  else
    console.error(
      "docs/settings.md lacks these settings. Run: npx node scripts/print-settings.ts --write",
    );
  process.exitCode = isCurrent ? 0 : 1;
}

/** The page with the table between its two marks. */
function withTable(): string {
  return withPart(readFileSync(page, "utf8"), "settings", table);
}

function printDefault(value: unknown, unit: string): string {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  if (value === undefined || isEmpty) return "none";
  const text = (Array.isArray(value) ? value : [value])
    .map((item) => code(String(item)))
    .join(", ");
  return `${text}${unit}`;
}

/** Milliseconds are in the variable's name, the other units in the explanation. */
function unitOf(variables: readonly string[], about: string): string {
  if (variables.some((name) => name.endsWith("_MS"))) return " ms";
  if (about.startsWith("Tokens ")) return " tokens";
  const [, unit] = / in (bytes|characters)\b/.exec(about) ?? [];
  return unit === undefined ? "" : ` ${unit}`;
}
