// What a check runs beyond what its command names, in folders of many kinds; and what stays a source under test.
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { filesOfCheck } from "../../../../src/cli/code/guard/files-of-check.ts";
import { readRecipes } from "../../../../src/cli/code/guard/read-recipes.ts";

type Files = Readonly<Record<string, string>>;

async function guardOf(files: Files, command: readonly string[]) {
  const paths = new Set(Object.keys(files));
  const recipes = await readRecipes(command, { paths, read: async (path) => files[path] });
  const { isCheckFile } = await filesOfCheck(
    command,
    async (path) =>
      path.startsWith("/")
        ? { ok: false, problem: { code: "outside", message: { en: "", zh: "" } } }
        : { ok: true, value: posix.normalize(path) },
    recipes,
  );
  return isCheckFile;
}

const scripts = (own: Files, more: object = {}): string =>
  JSON.stringify({ scripts: own, ...more });

interface Case {
  name: string;
  command: readonly string[];
  files: Files;
  guarded: readonly string[];
  free?: readonly string[];
}

const cases: Case[] = [
  {
    name: "a Makefile of a folder that make is sent to",
    command: ["make", "-C", "lib", "test"],
    files: {
      "lib/Makefile": "test: src/ring.c\n\tcc -o t src/ring.c\n\tsh check/run.sh\n",
      Makefile: "all:\n\tsh other.sh\n",
    },
    guarded: ["lib/check/run.sh", "lib/Makefile"],
    free: ["lib/src/ring.c", "src/ring.c"],
  },
  {
    name: "a Makefile that calls make in a folder",
    command: ["make"],
    files: { Makefile: "all:\n\t$(MAKE) -C lib\n", "lib/Makefile": "all:\n\t./verify\n" },
    guarded: ["lib/verify"],
  },
  {
    name: "a Makefile of another name",
    command: ["make", "-f", "ci/rules.mk"],
    files: { "ci/rules.mk": "all:\n\tpython3 tools/judge.py\n" },
    guarded: ["ci/rules.mk", "tools/judge.py"],
  },
  {
    name: "a path that a variable begins",
    command: ["make", "check"],
    files: { Makefile: "check:\n\t$(CURDIR)/tools/judge.py\n\tsh ${ROOT}/tools/more\n" },
    guarded: ["tools/judge.py", "tools/more"],
  },
  {
    name: "shell scripts that call each other",
    command: ["sh", "ci/all.sh"],
    files: {
      "ci/all.sh":
        '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\ncc src/a.c -o a && node tools/judge.js\n',
      "ci/lib.sh": "sh ci/deep.sh\n",
      "ci/deep.sh": "ruby tools/deep.rb\n",
    },
    guarded: ["ci/lib.sh", "ci/deep.sh", "tools/deep.rb", "tools/judge.js"],
    free: ["src/a.c"],
  },
  {
    name: "a script without an ending",
    command: ["./bin/check"],
    files: { "bin/check": "#!/usr/bin/env bash\nnode tools/judge.js\n" },
    guarded: ["bin/check", "tools/judge.js"],
  },
  {
    name: "npm in a folder",
    command: ["npm", "--prefix", "web", "test"],
    files: { "web/package.json": scripts({ test: "node tools/judge.js" }) },
    guarded: ["web/tools/judge.js"],
  },
  {
    name: "a package by its name",
    command: ["npm", "test", "-w", "@shop/cart"],
    files: {
      "package.json": scripts({}, { workspaces: ["packages/*"] }),
      "packages/cart/package.json": scripts({ test: "node run.js && node ../../tools/judge.js" }),
    },
    guarded: ["packages/cart/run.js"],
  },
  {
    name: "packages of pnpm",
    command: ["pnpm", "-r", "test"],
    files: {
      "package.json": "{}",
      "pnpm-workspace.yaml": "packages: ['a/*']\n",
      "a/b/package.json": scripts({ test: "node run.js" }),
    },
    guarded: ["a/b/run.js"],
  },
  {
    name: "a script that calls make, and a Makefile that calls npm",
    command: ["npm", "test"],
    files: {
      "package.json": scripts({ test: "make check", "ci:lint": "node tools/lint.js" }),
      Makefile: "check:\n\tnpx run-s ci:*\n\tsh tools/more.sh\n",
    },
    guarded: ["tools/more.sh", "tools/lint.js"],
  },
  {
    name: "what is built before the tests",
    command: ["npm", "test"],
    files: {
      "package.json": scripts({
        pretest: "npm run build && eslint src/cart.js --config tools/rules.js",
        build: "esbuild src/index.ts --bundle --outfile=dist/index.js",
        test: "node --test",
      }),
    },
    guarded: ["tools/rules.js"],
    free: ["src/index.ts", "src/cart.js"],
  },
  {
    name: "sources that a Makefile lists",
    command: ["make", "test"],
    files: {
      Makefile:
        "SRC = src/main.c \\\n  src/ring.c\nring.o: src/ring.c src/ring.h\ntest: $(SRC)\n\t./run\n",
    },
    guarded: ["run"],
    free: ["src/main.c", "src/ring.c", "src/ring.h"],
  },
  {
    name: "a source that is compiled and run as a tool",
    command: ["make"],
    files: { Makefile: "all:\n\tgo run tools/judge.go\n\tgo vet ./...\n" },
    guarded: ["tools/judge.go"],
    free: ["cart/cart.go"],
  },
  {
    name: "linters and runners that are given folders and quoted sources",
    command: ["npm", "test"],
    files: {
      "package.json": scripts({
        test: "eslint src 'lib/a.js' && jest src/cart && pytest -c conf/my.ini shop && mocha checks/all.js -r ./setup",
      }),
    },
    guarded: ["conf/my.ini", "checks/all.js", "setup.js"],
    free: ["src/index.js", "lib/a.js", "src/cart.ts", "shop/__main__.py", "shop/cart.py"],
  },
  {
    name: "a script behind a program that measures",
    command: ["c8", "npm", "run", "unit"],
    files: { "package.json": scripts({ unit: "node tools/judge.js" }) },
    guarded: ["tools/judge.js"],
  },
  {
    name: "a linter that is given a source",
    command: ["ruff", "check", "src/cart.py"],
    files: {},
    guarded: ["ruff.py"],
    free: ["src/cart.py"],
  },
];

describe("of a check that runs", () => {
  test.each(cases)("$name", async ({ command, files, guarded, free = [] }) => {
    const isCheckFile = await guardOf(files, command);
    expect(guarded.filter((path) => !isCheckFile(path))).toEqual([]);
    expect(free.filter((path) => isCheckFile(path))).toEqual([]);
  });
});

test("recipes that call each other come to an end", async () => {
  const isCheckFile = await guardOf(
    { "a.sh": "sh b.sh", "b.sh": "sh a.sh; make", Makefile: "all:\n\tmake\n\tsh a.sh\n" },
    ["sh", "a.sh"],
  );
  expect(isCheckFile("b.sh")).toBe(true);
});
