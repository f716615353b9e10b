// The same code for the same file comes to the same text through a flow and through the tool of the agent.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runCall } from "../../../../src/tools/run-call.ts";
import { createWorkspaceTools } from "../../../../src/tools/workspace/workspace-tools.ts";
import { code as parser } from "../../../helpers/code-parser.ts";
import { createUse } from "../../../helpers/tool-workspace.ts";
import { play } from "./play.ts";
import { cases } from "../../../helpers/cases.ts";

interface Language {
  path: string;
  mark: string;
  head: string;
  /** A function, with its lines one level in. */
  print: (name: string, lines: readonly string[]) => string;
  line: (nth: number, word: string) => string;
}

const languages: readonly Language[] = [
  {
    path: "src/a.ts",
    mark: "// ... existing code ...",
    head: 'import { log } from "./log.ts";\n\nconst limit = 10;\n',
    print: (name, lines) =>
      `export function ${name}(value: number): number {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`,
    line: (nth, word) => `const ${word}${nth} = log(value + ${nth});`,
  },
  {
    path: "src/a.py",
    mark: "# ... existing code ...",
    head: "from log import log\n\nlimit = 10\n",
    print: (name, lines) => `def ${name}(value):\n${lines.map((line) => `    ${line}\n`).join("")}`,
    line: (nth, word) => `${word}${nth} = log(value + ${nth})`,
  },
  {
    path: "build/a.sh",
    mark: "# ... existing code ...",
    head: "#!/bin/sh\n# all.sh\n\nlimit=10\n",
    print: (name, lines) => `${name}() {\n${lines.map((line) => `    ${line}\n`).join("")}}\n`,
    line: (nth, word) => `${word}${nth}=$(log "$1" ${nth})`,
  },
  {
    path: "src/a.kt",
    mark: "// ... existing code ...",
    head: "// Main.kt\n//\n// By Ada.\n\nimport log.log\n\nval limit = 10\n",
    print: (name, lines) =>
      `fun ${name}(value: Int): Int {\n${lines.map((line) => `    ${line}\n`).join("")}}\n`,
    line: (nth, word) => `val ${word}${nth} = log(value + ${nth})`,
  },
];

const words = ["sum", "rate", "total", "width", "name"];
const names = ["area", "parse", "load", "store", "clear"];
const body = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.constantFrom(...words)), {
  minLength: 2,
  maxLength: 6,
});
const change = fc.record({
  at: fc.nat({ max: 5 }),
  gone: fc.nat({ max: 2 }),
  come: fc.array(fc.tuple(fc.integer({ min: 40, max: 60 }), fc.constantFrom(...words)), {
    maxLength: 3,
  }),
});
const form = fc.constantFrom(
  "function",
  "two functions",
  "whole file",
  "whole file without a function",
  "function without its end",
  "function of another name",
  "whole file with another name",
  "marks around",
  "marks inside",
  "lines",
);

async function editByTool(path: string, before: string, code_edit: string) {
  const use = createUse({ [path]: before }, { code: parser });
  const tools = createWorkspaceTools();
  const call = (name: string, args: object) =>
    runCall({ id: "1", name, arguments: JSON.stringify(args) }, tools, use);
  await call("read_file", { target_file: path });
  const { outcome } = await call("edit_file", { target_file: path, code_edit });
  return outcome.success ? use.workspace.files.get(path) : undefined;
}

test("the same code makes the same change through `fix` and through `edit_file`, or none", async () => {
  const seen = { changed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...languages),
      fc.array(body, { minLength: 2, maxLength: 5 }),
      fc.nat({ max: 4 }),
      change,
      form,
      fc.boolean(),
      async (
        { path, mark, head, print, line },
        bodies,
        nth,
        { at, gone, come },
        written,
        isNamed,
      ) => {
        const linesOf = (lines: readonly (readonly [number, string])[]): string[] =>
          [...new Set(lines.map(([number, word]) => line(number, word)))].concat("return value");
        const old = bodies.map(linesOf);
        const which = nth % bodies.length;
        const now = old.map((lines, each) =>
          each === which
            ? lines.toSpliced(at % lines.length, gone, ...linesOf(come).slice(0, -1))
            : lines,
        );
        const functions = (all: readonly (readonly string[])[]): string[] =>
          all.map((lines, each) => print(names[each] ?? "", lines));
        const file = (all: readonly string[]): string => [head, ...all].join("\n");
        const before = file(functions(old));
        const [own = "", next] = functions(now).slice(which);
        const own2 = now[which] ?? [];
        const all = functions(now);
        const code = {
          function: own,
          "two functions": [own, next ?? all[0]].join("\n"),
          "whole file": file(all),
          "whole file without a function": file(all.filter((_, each) => each !== which)),
          "function without its end": own.split("\n").slice(0, -2).join("\n"),
          "function of another name": print("other", own2),
          "whole file with another name": file(all.with(which, print("other", own2))),
          "marks around": `${mark}\n\n${own}\n${mark}\n`,
          "marks inside": print(names[which] ?? "", [mark, ...own2.slice(1)]),
          lines: own2.map((each) => `${each}\n`).join(""),
        }[written]
          .trimEnd()
          .concat("\n");
        const above = isNamed ? `**${path}**` : "Here it is:";
        const block = `\`\`\`${path.split(".").at(-1)}\n${code}\`\`\`\n`;
        const played = await play(path, before, `${above}\n\n${block}`);
        const edited = await editByTool(path, before, code);
        // Without a path, a part of a file may be too little to show that this file is meant.
        const isClear = isNamed || written === "function" || written === "whole file";
        // The words above tell the flow that lines are a new version of others; the tool has no such words.
        const isUntold = written === "lines" && edited === undefined;
        if (!isUntold && (isClear || played.after !== undefined)) expect(edited).toBe(played.after);
        seen[edited === undefined ? "refused" : "changed"] += 1;
      },
    ),
    { numRuns: cases(60) },
  );
  expect(seen.changed).toBeGreaterThan(cases(20));
  expect(seen.refused).toBeGreaterThan(cases(4));
});
