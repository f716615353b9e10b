// What a client is told of a change beside the prose: chunks with `rightseat.edit`.
import { createParser } from "eventsource-parser";
import { expect, test } from "vitest";
import { applyTextChanges } from "../../../src/edit.ts";
import type { Script } from "../../../src/testing.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";
import { ProposedEdit } from "../../../src/turn/proposed-edit.ts";
import { editor, prompted } from "../../helpers/copilot-client.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = "function total(prices) {\r\n  let sum = 1;\r\n  return sum;\r\n}\r\n";
const unit = { search: "  let sum = 1;\n", replace: "  let sum = 0;\n" };
const otherUnit = { search: "a\n", replace: "b\n" };

function answer(...edits: [path: string, ...units: { search: string; replace: string }[]][]) {
  return edits
    .map(([path, ...units]) => {
      const blocks = units.map(
        ({ search, replace }) => `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`,
      );
      return `<file-edit filePath="${path}">\n${blocks.join("")}</file-edit>\n`;
    })
    .join("");
}

interface Asked {
  command?: string;
  variables?: unknown[];
  scripts: Script[];
}

/** The edits of an answer, read as any client reads the stream. */
async function editsOf({ command = "fix", variables = [editor(file)], scripts }: Asked) {
  const { app } = createTestApp({ models: scripts });
  const body = { agent: "rightseat", command, contextVariables: variables };
  const response = await post(app, body);
  const edits: ProposedEdit[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (event !== undefined || data === "[DONE]") return;
      const { rightseat, choices } = JSON.parse(data) as {
        rightseat?: { edit: unknown };
        choices: { delta: object; finish_reason: unknown }[];
      };
      if (rightseat === undefined) return;
      expect(choices).toMatchObject([{ delta: {}, finish_reason: null }]);
      expect(choices[0]?.delta).toEqual({});
      edits.push(ProposedEdit.parse(rightseat.edit));
    },
  });
  parser.feed(await response.text());
  return edits;
}

test("a change that was applied comes with what makes the new text out of the old one", async () => {
  const [edit, ...others] = await editsOf({ scripts: [[answer(["src/cart.js", unit])]] });
  expect(others).toEqual([]);
  expect(edit).toEqual({
    filePath: "src/cart.js",
    hashBefore: hashOf(file),
    units: [{ ...unit, place: { startLine: 2, endLine: 2, level: "line-ends" } }],
    result: {
      status: "applied",
      changes: [{ startLine: 2, endLine: 2, text: "  let sum = 0;\r\n" }],
      hashAfter: hashOf(file.replace("= 1", "= 0")),
    },
  });
  const changes = edit?.result.status === "applied" ? edit.result.changes : [];
  expect(applyTextChanges(file, changes)).toBe(file.replace("= 1", "= 0"));
});

test("a change that was refused comes with its code and the unit at fault", async () => {
  const wrong = answer(["src/cart.js", unit, { search: "nothing();\n", replace: "" }]);
  const [edit, ...others] = await editsOf({ scripts: [[wrong], [wrong]] });
  expect(others).toEqual([]);
  expect(edit).toMatchObject({
    units: [{ place: { startLine: 2 } }, { search: "nothing();\n" }],
    result: { status: "refused", code: "no-match", unit: 2 },
  });
  expect(edit?.units[1]).not.toHaveProperty("place");
});

test("a change that fits several places comes with all of them", async () => {
  const twice = editor("a();\nb();\na();\n");
  const script = answer(["src/cart.js", { search: "a();\n", replace: "c();\n" }]);
  const [edit] = await editsOf({ variables: [twice], scripts: [[script]] });
  expect(edit?.result).toEqual({
    status: "refused",
    code: "ambiguous",
    unit: 1,
    candidates: [
      { startLine: 1, endLine: 1 },
      { startLine: 3, endLine: 3 },
    ],
  });
});

test("a change of another file is told as one that was not checked", async () => {
  const script = answer(["src/cart.js", unit], ["src/price.js", otherUnit]);
  const [, other] = await editsOf({ scripts: [[script]] });
  expect(other).toEqual({
    filePath: "src/price.js",
    units: [otherUnit],
    result: { status: "unchecked" },
  });
});

test("a change of a file of which only a part came has no hashes", async () => {
  const value = {
    filePath: "src/cart.js",
    language: "javascript",
    selectedRanges: [{ content: "  let sum = 1;\n", startLine: 20, startColumn: 1, endLine: 21 }],
  };
  const variables = [{ name: "activeEditor", value: { ...value } }];
  const [edit] = await editsOf({ variables, scripts: [[answer(["src/cart.js", unit])]] });
  expect(edit).toMatchObject({
    units: [{ place: { startLine: 20, endLine: 20 } }],
    result: { status: "applied", changes: [{ startLine: 20, endLine: 20 }] },
  });
  expect(edit).not.toHaveProperty("hashBefore");
  expect(edit?.result).not.toHaveProperty("hashAfter");
});

test("tests that belong into the source, or were cut off, are told as no file", async () => {
  const text = "`src/cart.rs`\n\n```rust\nmod tests {}\n```\n";
  const rust = { filePath: "src/cart.rs", language: "rust", content: "pub fn a() {}\n" };
  const variables = [{ name: "activeEditor", value: rust }, prompted("All.")];
  expect(await editsOf({ command: "unittest-write", variables, scripts: [[text]] })).toEqual([]);
  const cut: Script = ["`a.test.js`\n\n```js\ntest();\n```\n", { end: "length" }];
  expect(await editsOf({ command: "unittest-write", scripts: [cut] })).toEqual([]);
});

test.each(["explain", "unittest"])("%s proposes no change", async (command) => {
  expect(await editsOf({ command, scripts: [[answer(["src/cart.js", unit])], ["no"]] })).toEqual(
    [],
  );
});

test("chat tells the facts of an edit in its answer, as of a proposal", async () => {
  const edits = await editsOf({ command: "chat", scripts: [[answer(["src/cart.js", unit])]] });
  expect(edits).toMatchObject([{ filePath: "src/cart.js", result: { status: "applied" } }]);
});

test.each([
  ["rust", "src/cart.rs", "tests/cart.rs", "#[test]\nfn adds() {\n    assert_eq!(a(), 1);\n}\n"],
  [
    "elixir",
    "lib/cart.ex",
    "test/cart_test.exs",
    "defmodule CartTest do\n  use ExUnit.Case\nend\n",
  ],
  ["julia", "src/cart.jl", "test/runtests.jl", "using Test\n@test a() == 1\n"],
])(
  "tests in %s for %s that the answer puts into %s are that file",
  async (language, filePath, path, text) => {
    const value = { filePath, language, content: "one = 1\n" };
    const said = `Save this as \`${path}\`:\n\n\`\`\`${language}\n${text}\`\`\`\n`;
    const variables = [{ name: "activeEditor", value }];
    expect(
      await editsOf({ command: "unittest-write", variables, scripts: [[said]] }),
    ).toMatchObject([{ filePath: path, units: [{ search: "", replace: text }] }]);
  },
);
