// Prints the table of settings from src/setup/settings.ts. `--check` exits with 1 where docs/settings.md
// has another one, `--write` puts it there.
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "../src/setup/settings.ts";
import { root } from "./run.ts";

const page = `${root}docs/settings.md`;
const start = "<!-- settings -->\n";
const end = "\n<!-- /settings -->";

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
  const text = readFileSync(page, "utf8");
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`docs/settings.md has no lines ${start.trim()} and ${end.trim()}.`);
  return `${text.slice(0, from)}${start}\n${table}\n${text.slice(to)}`;
}

/** Pads the columns as the formatter does, which would otherwise change what we have printed. */
function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const [head = "", ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [head, rule, ...body].join("\n");
}

function printDefault(value: unknown, unit: string): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
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

function code(text: string): string {
  return `\`${text}\``;
}
