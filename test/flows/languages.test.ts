// The flows on real source files, with real grammars and the offline model.
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { applyUnits } from "../../src/edit.ts";
import { readClick } from "../../src/flows/click/click-prompt.ts";
import { offlineModel } from "../helpers/offline-model.ts";
import { bareCode, isSameCode } from "../../src/code/same-code.ts";
import type { CodeSymbol } from "../../src/code/code-analysis.ts";
import { flattenSymbols } from "../../src/code/symbols.ts";
import { type Reply, send } from "../helpers/copilot-client.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import { code } from "../helpers/code-parser.ts";

const folder = new URL("../../eval-cases/code/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.includes("."));

function read(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

/** Functions and methods with a body of several lines. */
async function functionsOf(path: string, content: string): Promise<CodeSymbol[]> {
  const { symbols } = await code.analyze(content, undefined, path);
  return flattenSymbols(symbols).filter(
    ({ kind, body }) =>
      /^(?:function|method)$/.test(kind) && body !== undefined && body.endLine > body.startLine,
  );
}

function pick(symbols: readonly CodeSymbol[], isWanted: (symbol: CodeSymbol) => boolean) {
  const found = symbols.find(isWanted);
  if (found === undefined) throw new Error("The file has no such function.");
  return found;
}

/** Asks with a function selected. */
function ask(
  command: string,
  name: string,
  content: string,
  { range }: Pick<CodeSymbol, "range">,
): Promise<Reply> {
  const { app } = createTestApp({ models: offlineModel(code), code });
  const { startLine, endLine } = range;
  const lines = content.split("\n").slice(startLine - 1, endLine);
  const selection = { content: lines.join("\n"), startLine, startColumn: 1, endLine };
  const value = {
    filePath: `src/${name}`,
    content,
    selectedRanges: [{ ...selection, endColumn: 200 }],
  };
  const prompt = "1. happy path: the usual one\n2. edge case: an empty one";
  const contextVariables = [
    { name: "activeEditor", value },
    ...(command === "unittest-write" ? [{ name: "userInputPrompt", value: prompt }] : []),
  ];
  return send(app, { command, contextVariables });
}

/** The file after the change that the buttons carry; undefined if they carry none. */
function applyOffered({ actions }: Reply, content: string): string | undefined {
  const click = actions
    .map((action) =>
      action.action === "confirm" ? readClick(action.data.prompt ?? "") : undefined,
    )
    .find((found) => found !== undefined);
  const result = click && applyUnits(content, click.file.units);
  return result?.ok === true ? result.text : undefined;
}

test("there are files in at least six languages", () => {
  expect(files.length).toBeGreaterThanOrEqual(6);
});

test.each(files)("test cases for a function of %s name it and its branches", async (name) => {
  const content = read(name);
  const { branchesIn } = await code.analyze(content, undefined, name);
  const conditionsOf = ({ range }: CodeSymbol) =>
    branchesIn(range).filter(({ kind }) => /^(?:if|case|loop|catch|throw|guard)$/.test(kind));
  const symbol = pick(await functionsOf(name, content), (one) => conditionsOf(one).length > 0);
  const { actions } = await ask("unittest", name, content, symbol);
  const cases = actions.flatMap((action) =>
    action.action === "tree" ? action.data.nodes.filter(({ type }) => type === "case") : [],
  );
  const shown = cases.map((node) => node.name);
  expect(shown[0]).toContain(symbol.name);
  for (const { text, line } of conditionsOf(symbol).slice(0, 3)) {
    expect(shown).toContainEqual(expect.stringContaining(text));
    expect(shown.join("\n")).toContain(`line ${line}: `);
  }
});

/** The file with a function whose doc comment was cut out, if it had one. */
async function withoutDoc(name: string): Promise<{ content: string; symbol: CodeSymbol }> {
  const lines = read(name).split("\n");
  const documented = pick(await functionsOf(name, lines.join("\n")), () => true);
  const { startLine, endLine } = documented.docComment ?? { startLine: 1, endLine: 0 };
  const content = lines.toSpliced(startLine - 1, endLine - startLine + 1).join("\n");
  const isSame = (one: CodeSymbol): boolean => one.name === documented.name;
  return { content, symbol: pick(await functionsOf(name, content), isSame) };
}

test.each(files)("the doc comment of a function of %s changes no code", async (name) => {
  const { content, symbol } = await withoutDoc(name);
  expect(symbol.docComment).toBeUndefined();
  const after = applyOffered(await ask("docstring", name, content, symbol), content) ?? "";
  const functions = await functionsOf(name, after);
  const { docComment } = pick(functions, (one) => one.name === symbol.name);
  const comment = after
    .split("\n")
    .slice((docComment?.startLine ?? 1) - 1, docComment?.endLine ?? 0);
  expect(comment.join("\n")).toMatch(new RegExp(`${symbol.name}[^]*TODO|TODO[^]*${symbol.name}`));
  const bare = async (text: string) => bareCode(await code.analyze(text, undefined, name));
  expect(isSameCode(await bare(content), await bare(after))).toBe(true);
});

/** A line with a fault, and the line without it, by the ending of the file. */
const planted: Readonly<Record<string, readonly [faulty: string, repaired: string]>> = {
  ts: ["if (planted == 1) void 0;", "if (planted === 1) void 0;"],
  tsx: ["if (planted == 1) void 0;", "if (planted === 1) void 0;"],
  js: ["if (planted != 1) void 0;", "if (planted !== 1) void 0;"],
  py: ["if planted == None: pass", "if planted is None: pass"],
  java: [
    'boolean planted = "" != null && planted == "a";',
    'boolean planted = "" != null && "a".equals(planted);',
  ],
  php: ["$planted = $planted == null;", "$planted = $planted === null;"],
};

function endingOf(name: string): string {
  return name.split(".").at(-1) ?? "";
}

test.each(files.filter((name) => endingOf(name) in planted))(
  "a fault in %s is repaired, and nothing else",
  async (name) => {
    const content = read(name);
    const [faulty = "", repaired = ""] = planted[endingOf(name)] ?? [];
    const { body } = pick(await functionsOf(name, content), () => true);
    const lines = content.split("\n");
    // In Python the body begins with its first statement, elsewhere with a bracket.
    const at = (body?.startLine ?? 0) - (name.endsWith(".py") ? 1 : 0);
    const indent = /^\s*/.exec(lines[at] ?? "")?.[0] ?? "";
    const withLine = (line: string) => lines.toSpliced(at, 0, indent + line).join("\n");
    const range = { startLine: at + 1, startColumn: 1, endLine: at + 1, endColumn: 1 };
    const reply = await ask("fix", name, withLine(faulty), { range });
    expect(applyOffered(reply, withLine(faulty))).toBe(withLine(repaired));
    expect(reply.text).not.toContain("Please check");
  },
);

test.each(files.filter((name) => !(endingOf(name) in planted)))(
  "where no fault of the language is known, %s is left as it is",
  async (name) => {
    const content = read(name);
    const reply = await ask(
      "fix",
      name,
      content,
      pick(await functionsOf(name, content), () => true),
    );
    expect(applyOffered(reply, content)).toBeUndefined();
    expect(reply.text).toContain(
      "None of the rules of the offline model applies here. Other faults were not looked for.",
    );
  },
);

test.each(files)(
  "tests of a function of %s come with their path, in one block that can be parsed",
  async (name) => {
    const content = read(name);
    const symbol = pick(await functionsOf(name, content), () => true);
    const { text } = await ask("unittest-write", name, content, symbol);
    const blocks = [...text.matchAll(/```(\w+)\n([^]*?)\n```/g)];
    expect(blocks).toHaveLength(1);
    const [, language, body = ""] = blocks[0] ?? [];
    expect(text).toMatch(/^`(?:src|tests)\/[\w./]+\.\w+`$/m);
    expect((await code.analyze(body, language, name)).problems).toEqual([]);
    expect(body).toContain(`use `);
    expect(body).toMatch(new RegExp(`TODO: .*${symbol.name.replace(/\W/g, "\\$&")}`));
    for (const words of ["the usual one", "an empty one"]) expect(body).toContain(words);
    expect(body).not.toMatch(/happy path|edge case/);
  },
);

test("an explanation at the cursor is about the function around it", async () => {
  const { app } = createTestApp({ models: offlineModel(code), code });
  const content = "function one() {\n  return 1;\n}\nfunction two() {\n  return 2;\n}\n";
  const value = { filePath: "src/a.js", content, cursorOffset: content.indexOf("return 2") };
  const contextVariables = [{ name: "activeEditor", value }];
  const reply = await send(app, { command: "explain", contextVariables });
  expect(reply.text).toContain("two");
  expect(reply.text).not.toContain("one");
});
