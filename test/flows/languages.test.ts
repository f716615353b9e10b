// The flows on real source files, with real grammars and the offline model.
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { loadGrammars } from "../../src/load-grammars.node.ts";
import { offlineModel } from "../../src/model/offline.ts";
import { createCodeParser } from "../../src/symbols/create-code-parser.ts";
import { flattenSymbols } from "../../src/symbols/flatten-symbols.ts";
import { post } from "../helpers/copilot-request.ts";
import { createTestApp } from "../helpers/create-test-app.ts";

const folder = new URL("../fixtures/code/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.includes("."));
const code = createCodeParser(loadGrammars());

/** A function with parameters and without a doc comment, or any function. */
async function findFunction(path: string, content: string) {
  const { symbols } = await code.analyze(content, undefined, path);
  const all = flattenSymbols(symbols).filter(({ body }) => body !== undefined);
  const functions = all.filter(({ kind }) => kind === "function" || kind === "method");
  const plain = functions.find(
    ({ docComment, parameters }) => !docComment && parameters.length > 0,
  );
  return plain ?? functions[0];
}

async function ask(command: string, name: string, language = "en") {
  const content = readFileSync(new URL(name, folder), "utf8");
  const { app } = createTestApp({ models: offlineModel(code), code });
  const symbol = await findFunction(name, content);
  const { startLine = 1, endLine = 1 } = symbol?.range ?? {};
  const selection = content
    .split("\n")
    .slice(startLine - 1, endLine)
    .join("\n");
  const range = { content: selection, startLine, startColumn: 1, endLine, endColumn: 200 };
  const value = { filePath: `src/${name}`, content, selectedRanges: [range] };
  const contextVariables = [{ name: "activeEditor", value }];
  const response = await post(app, { agent: "rightseat", command, language, contextVariables });
  return { status: response.status, text: await response.text(), symbol };
}

test("there are files in at least six languages", () => {
  expect(files.length).toBeGreaterThanOrEqual(6);
});

test.each(files)("test cases for a function of %s name it and its branches", async (name) => {
  const { status, text, symbol } = await ask("unittest", name);
  expect(status).toBe(200);
  expect(text).toContain(symbol?.name);
  expect(text).toContain('"command":"unittest-write"');
  expect(text).not.toContain("no list of test cases");
});

test.each(files)("the doc comment of a function of %s changes no code", async (name) => {
  const { text } = await ask("docstring", name);
  expect(text).not.toContain("The change touches code");
  expect(text).toMatch(/TODO|There is a doc comment already/);
});

test.each(files)("a fix of %s keeps its syntax", async (name) => {
  const { status, text } = await ask("fix", name, "zh");
  expect(status).toBe(200);
  expect(text).not.toContain("请核对");
  expect(text).not.toContain("未作任何修改");
});

test.each(files)(
  "tests of a function of %s come with their path in one code block",
  async (name) => {
    const { text, symbol } = await ask("unittest-write", name);
    expect(text).toContain(symbol?.name);
    expect(text.match(/```/g)?.length).toBe(2);
  },
);
