// What a check names, in its command and in what that runs, in folders of many kinds; and what stays a source.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesOfCheck } from "../../../../src/cli/code/guard.ts";

type Files = Readonly<Record<string, string>>;

async function checkFiles(files: Files, command: readonly string[]) {
  return filesOfCheck(command, {
    root: "/project",
    paths: Object.keys(files),
    read: async (path) => files[path] ?? "",
  });
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
      "lib/a.sh": "exit 1\n",
      "tools/never.sh": "node a.js\n",
    },
    guarded: ["lib/check/run.sh", "lib/Makefile"],
    free: ["lib/src/ring.c", "src/ring.c", "lib/a.sh", "tools/never.sh", "a.js"],
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
    guarded: ["tools/rules.js", "src/index.ts", "src/cart.js"],
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
    guarded: ["conf/my.ini", "checks/all.js", "setup.js", "lib/a.js"],
    free: ["src/other.js", "shop/cart.py"],
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
    guarded: ["ruff.py", "src/cart.py"],
    free: ["src/shop.py"],
  },
];

describe("of a check that runs", () => {
  test.each(cases)("$name", async ({ command, files, guarded, free = [] }) => {
    const { isCheckFile } = await checkFiles(files, command);
    expect(guarded.filter((path) => !isCheckFile(path))).toEqual([]);
    expect(free.filter((path) => isCheckFile(path))).toEqual([]);
  });
});

test("recipes that call each other come to an end", async () => {
  const files = {
    "a.sh": "sh b.sh",
    "b.sh": "sh a.sh; make",
    Makefile: "all:\n\tmake\n\tsh a.sh\n",
  };
  const { isCheckFile } = await checkFiles(files, ["sh", "a.sh"]);
  expect(isCheckFile("b.sh")).toBe(true);
});

const isNamed = async (command: string[], path: string): Promise<boolean> =>
  (await checkFiles({}, command)).isCheckFile(path);

test.each([
  { command: ["./run-tests.sh"], path: "run-tests.sh" },
  { command: ["node", "test/check.js"], path: "test/check.js" },
  { command: ["node", "test/check.js"], path: "Test/CHECK.js" },
  { command: ["node", "test/check"], path: "test/check.mjs" },
  { command: ["node", "test"], path: "test/index.js" },
  { command: ["python", "tool"], path: "tool/__main__.py" },
  { command: ["python", "-m", "tests.run"], path: "tests/run.py" },
  { command: ["tool", "--config=conf/x.ini"], path: "conf/x.ini" },
  { command: ["sh", "-c", "cd a && ./b.sh; cat <c.txt"], path: "b.sh" },
  { command: ["sh", "-c", "cd a && ./b.sh; cat <c.txt"], path: "c.txt" },
  { command: ["/project/tools/run.sh"], path: "tools/run.sh" },
])("$command guards $path", async ({ command, path }) => {
  expect(await isNamed(command, path)).toBe(true);
});

test.each([
  { command: ["npm", "test"], path: "src/cart.js" },
  { command: ["node", "--test"], path: "test/cart.test.js" },
  { command: ["node", "--test", "test"], path: "test/cart.test.js" },
  { command: ["cat", "/etc/passwd", "../x"], path: "etc/passwd" },
])("$command leaves $path alone", async ({ command, path }) => {
  expect(await isNamed(command, path)).toBe(false);
});

test.each([
  { command: ["npm", "test"], named: ["scripts/prepare.js", "scripts/run.js", "scripts/lint.js"] },
  { command: ["npm", "t"], named: ["scripts/prepare.js", "scripts/run.js", "scripts/lint.js"] },
  { command: ["sh", "-c", "cd . && npm test"], named: ["scripts/run.js", "scripts/lint.js"] },
  { command: ["yarn", "lint"], named: ["scripts/lint.js"] },
  { command: ["node", "--run", "lint"], named: ["scripts/lint.js"] },
  { command: ["node", "--run=lint"], named: ["scripts/lint.js"] },
  { command: ["go", "test"], named: [] },
  { command: ["npm", "run", "constructor"], named: [] },
])(
  "$command names what the scripts run that it calls, and those that they call",
  async ({ command, named }) => {
    const own = {
      pretest: "node scripts/prepare.js",
      test: "node scripts/run.js && npm run lint",
      lint: "node scripts/lint.js",
      start: "node src/server.js",
    };
    const { isCheckFile } = await checkFiles({ "package.json": scripts(own) }, command);
    const all = ["scripts/prepare.js", "scripts/run.js", "scripts/lint.js", "src/server.js"];
    const found = all.filter(isCheckFile);
    if (named.length === 0) expect(found).toEqual([]);
    else expect(found).toEqual(expect.arrayContaining(named));
    expect(isCheckFile("src/server.js")).toBe(false);
  },
);

test("whatever a package.json holds, and however many words there are, it comes to an end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      await checkFiles({ "package.json": text }, ["npm", "test"]);
    }),
  );
  const words = Array.from({ length: 50_000 }, (_, nth) => `f${nth}`);
  expect((await checkFiles({}, words)).paths.length).toBeLessThanOrEqual(20_000);
});
