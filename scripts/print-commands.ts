// Writes what the commands of ours say of themselves: what they are called in the shipped definition, and their requests in
// the docs. `--check` exits with 1 where something else is there, `--write` puts it there. What clients collect for a
// command is said in the definition alone, and what it answers in the docs.
import { readFileSync, writeFileSync } from "node:fs";
import { ownCommands } from "../src/flows/own-commands.ts";
import { code, printTable, withPart } from "./print-table.ts";
import { root, runOrExit } from "./run.ts";

const tables: readonly (readonly [path: string, name: string, rows: string[][]])[] = [
  [
    "docs/wire-plugin.md",
    "requests",
    [
      ["`cmd`", "needs, besides `request_id`", "answered by"],
      [code("list_model"), "", "`{models}`"],
      ...ownCommands.flatMap(({ name, plugin }) =>
        plugin === undefined
          ? []
          : [
              [
                plugin.isOurs === true ? `${code(plugin.cmd)} (ours)` : code(plugin.cmd),
                [
                  ...plugin.needs.map(([field = ""]) => code(field)),
                  `and ${plugin.needsAlso ?? ""}`,
                ]
                  .slice(0, plugin.needsAlso === undefined ? -1 : undefined)
                  .join(", "),
                code(name),
              ],
            ],
      ),
    ],
  ],
];

/** The page to try the plugin protocol on, in which the lines between two comments are ours. */
const page = `${root}src/doors/plugin/page/test-page.html`;
const pageText = readFileSync(page, "utf8");
const known = ownCommands.flatMap(({ description, plugin }) =>
  plugin === undefined ? [] : [{ cmd: plugin.cmd, isEdit: plugin.isEdit === true, ...description }],
);
const [above = "", rest = ""] = pageText.split("// <commands>\n");
const wantedPage = `${above}// <commands>\nconst known = ${JSON.stringify(known)};\n${rest.slice(rest.indexOf("// </commands>"))}`;

const definition = `${root}agent-definitions/rightseat.json`;
const written = JSON.parse(readFileSync(definition, "utf8"));
const entries: readonly { name: string }[] = written.commands;
const wanted = {
  ...written,
  commands: ownCommands.map(({ name, description }) => ({
    ...entries.find((entry) => entry.name === name),
    name,
    description,
  })),
};
const docs = readFileSync(`${root}docs/commands.md`, "utf8");
const untold = ownCommands.filter(({ name }) => !docs.includes(`\n| ${code(name)} `));
const stale = [
  ...(JSON.stringify(written) === JSON.stringify(wanted) ? [] : [definition]),
  ...(bare(pageText) === bare(wantedPage) ? [] : [page]),
  ...tables.flatMap(([path, name, rows]) => {
    const text = readFileSync(root + path, "utf8");
    const current = withPart(text, name, printTable(rows));
    if (process.argv.includes("--write") && text !== current) writeFileSync(root + path, current);
    return text === current ? [] : [path];
  }),
];
if (process.argv.includes("--write")) {
  // The formatter has the last word on its lines.
  if (stale.includes(definition)) writeFileSync(definition, JSON.stringify(wanted, null, 2));
  if (stale.includes(page)) writeFileSync(page, wantedPage);
  runOrExit("oxfmt", [definition, page]);
} else {
  for (const path of stale)
    console.error(`${path} is not current. Run: npx node scripts/print-commands.ts --write`);
  for (const { name } of untold) console.error(`docs/commands.md has no line for ${name}.`);
  console.log(`commands: ${ownCommands.length}, in the definition and the docs`);
  process.exitCode = stale.length + untold.length === 0 ? 0 : 1;
}

/** Without what the formatter decides. */
function bare(text: string): string {
  return text.replaceAll(/["\s,]/g, "");
}
