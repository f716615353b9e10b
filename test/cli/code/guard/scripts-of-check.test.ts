import { assert, json, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { scriptsOfCheck } from "../../../../src/cli/code/guard/scripts-of-check.ts";

const manifest = JSON.stringify({
  scripts: {
    pretest: "node scripts/prepare.js",
    test: "node scripts/run-tests.js && npm run lint",
    lint: "node scripts/lint.js",
    start: "node src/server.js",
  },
});
const test3 = ["node scripts/prepare.js", "node scripts/run-tests.js && npm run lint"];

test.each([
  { command: ["npm", "test"], scripts: [...test3, "node scripts/lint.js"] },
  { command: ["npm", "t"], scripts: [...test3, "node scripts/lint.js"] },
  { command: ["sh", "-c", "cd . && npm test"], scripts: [...test3, "node scripts/lint.js"] },
  { command: ["yarn", "lint"], scripts: ["node scripts/lint.js"] },
  { command: ["npm", "run", "lint"], scripts: ["node scripts/lint.js"] },
  { command: ["node", "--run", "lint"], scripts: ["node scripts/lint.js"] },
  { command: ["node", "--run=lint"], scripts: ["node scripts/lint.js"] },
  { command: ["go", "test"], scripts: [] },
  { command: ["npm", "run", "constructor"], scripts: [] },
])("$command runs the scripts that it names, and those that they call", ({ command, scripts }) => {
  expect(scriptsOfCheck(command, manifest).toSorted()).toEqual(scripts.toSorted());
});

test("scripts that call each other are followed to an end", () => {
  const scripts = { a: "npm run b", b: "npm run a" };
  expect(scriptsOfCheck(["npm", "run", "a"], JSON.stringify({ scripts }))).toHaveLength(2);
});

test("whatever a package.json holds, it is read without an error", () => {
  assert(
    property(oneof(string(), json()), (text) => {
      expect(() => scriptsOfCheck(["npm", "test"], text)).not.toThrow();
    }),
  );
});
