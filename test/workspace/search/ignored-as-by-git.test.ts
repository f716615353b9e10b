// What git itself ignores in throw-away repositories, and what our rules say.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type IgnoreRules,
  createIgnoreRules,
} from "../../../src/workspace/directory/folder-rules.node.ts";
import { cases } from "../../helpers/cases.ts";

const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

/** Wildcards, sets, escapes, and characters that mean something at the start or the end of a line. */
const written = fc.constantFrom(
  ..."a b A * ** *** ? / / [ ] ! ^ - # [ab] [!a] [^a] [a-b] []a] [b-a] [a-] [a/] [--0] [!]a] [é]".split(
    " ",
  ),
  ..."[[:alpha:]] [[:upper:]b] [[:no:]] [[:a] . {a,b} é 汉 😀".split(" "),
  ...String.raw`\ [\]a] [a\-b] \* \/`.split(" "),
  String.raw`\ `,
  " ",
  "\t",
  "\r",
);
const line = fc.array(written, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
const lines = fc.array(line, { minLength: 1, maxLength: 4 });
const named = fc.constantFrom(
  ...String.raw`a b a b A B x - # ! [ ] * ? \ é 汉 { } , . ^ 😀`.split(" "),
  " ",
  "\t",
  "\r",
);
const name = fc
  .array(named, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""))
  .filter((text) => text !== "." && text !== "..");
const path = fc.array(name, { minLength: 1, maxLength: 4 });

/** A repository with nothing but what git needs to take it for one. */
function makeRepository(root: string): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, ".git", "objects"), { recursive: true });
  mkdirSync(join(root, ".git", "refs"));
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
}

/** Creates the files as far as none is in the way of another. @returns all files and folders */
function fill(root: string, paths: readonly string[][]): Map<string, "file" | "folder"> {
  const found = new Map<string, "file" | "folder">();
  for (const segments of paths) {
    const file = join(root, ...segments);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "x", { flag: "wx" });
    } catch {
      continue;
    }
    for (const nth of segments.keys())
      found.set(
        segments.slice(0, nth + 1).join("/"),
        nth === segments.length - 1 ? "file" : "folder",
      );
  }
  return found;
}

function askGit(root: string, paths: readonly string[]): Set<string> {
  const input = `${paths.join("\0")}\0`;
  const args = ["check-ignore", "--no-index", "-z", "--stdin"];
  const asked = spawnSync("git", args, { cwd: root, env, input, encoding: "utf8" });
  expect(asked.stderr).toBe("");
  return new Set(asked.stdout.split("\0").slice(0, -1));
}

test("files are ignored as git ignores them", () => {
  execFileSync("git", ["--version"], { env });
  const root = mkdtempSync(join(tmpdir(), "rightseat-git-"));
  try {
    fc.assert(
      fc.property(
        lines,
        fc.option(lines),
        fc.constantFrom("\n", "\n", "\r\n"),
        fc.boolean(),
        fc.array(path, { minLength: 2, maxLength: 12 }),
        (ofRoot, ofFolder, end, hasMark, paths) => {
          makeRepository(root);
          const text = `${hasMark ? "\ufeff" : ""}${ofRoot.join(end)}${end}`;
          writeFileSync(join(root, ".gitignore"), text);
          const found = fill(root, paths);
          const above = createIgnoreRules().below("", text);
          const folder = [...found].find(([, kind]) => kind === "folder")?.[0];
          let inside = above;
          if (folder !== undefined && ofFolder !== null) {
            writeFileSync(join(root, folder, ".gitignore"), ofFolder.join(end));
            inside = above.below(folder, ofFolder.join(end));
          }
          const rulesFor = (each: string): IgnoreRules =>
            folder !== undefined && each.startsWith(`${folder}/`) ? inside : above;
          const ours = [...found.keys()].filter((each) => {
            const ways = each.split("/").map((_, nth, all) => all.slice(0, nth + 1).join("/"));
            return ways.some((way) => rulesFor(way).ignores(way, found.get(way) === "folder"));
          });
          const theirs = askGit(root, [...found.keys()]);
          expect(new Set(ours)).toEqual(theirs);
        },
      ),
      { numRuns: cases(15) },
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});
