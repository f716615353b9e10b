// Each flow against fixtures of aimock: what the model is asked, and what the client gets.
import { describe, expect, test } from "vitest";
import {
  buttonsOf,
  lastMessage,
  messagesSeen,
  packageJson,
  path,
  runFlow,
  startMocked,
} from "../../helpers/e2e-aimock.ts";
import {
  aboutCart,
  cases,
  casesAgain,
  cause,
  docEdit,
  editAgain,
  fileEdit,
  fixed,
  goodEdit,
  misfit,
  optimizeEdit,
  testFile,
} from "../../helpers/e2e-flow-answers.ts";

const over = (content: string) =>
  startMocked((mock) => mock.onMessage(aboutCart, { content }, { chunkSize: 7 }));

/** The selection behind its gutter. */
const marked = ">  4 |     sum =+ item.price;";

test("explain passes the text on and leads to fix and unit tests", async () => {
  const mocked = await over("It adds up prices. 合计。\n");
  const answer = await runFlow(mocked, "explain");
  expect(answer.said).toBe("It adds up prices. 合计。\n");
  expect(answer.reasons).toEqual(["stop"]);
  expect(buttonsOf(answer)).toEqual(["fix", "unittest"]);
  expect(lastMessage(mocked.mock)).toContain(marked);
});

test("explain of a whole file has a tree of its functions", async () => {
  const mocked = await over("Two functions.\n");
  const { actions } = await runFlow(mocked, "explain", { isSelected: false });
  const [tree] = actions;
  if (tree?.action !== "tree") throw new Error("There is no tree.");
  expect(tree.data.nodes.map(({ name }) => name)).toEqual(["total", "count"]);
  expect(lastMessage(mocked.mock)).toContain("   4 |     sum =+ item.price;");
});

test("fix shows the cause, the new code and its diff, and offers the whole file", async () => {
  const mocked = await over(cause + goodEdit);
  const answer = await runFlow(mocked, "fix");
  expect(answer.said.startsWith(cause)).toBe(true);
  expect(answer.said).toContain("**New code**, `src/cart.js`, lines 1 to 7:");
  expect(answer.said).toContain("-    sum =+ item.price;\n+    sum += item.price;");
  expect(answer.said).toContain("- Change 1: line 4 (found exactly)");
  expect(answer.said).not.toContain("<file-edit");
  expect(buttonsOf(answer)).toEqual(["fix", "unittest", "explain"]);
  expect(messagesSeen(mocked.mock)).toHaveLength(1);
  expect(lastMessage(mocked.mock)).toContain(marked);
  expect(lastMessage(mocked.mock)).toContain(path);
  expect(lastMessage(mocked.mock)).toContain(packageJson);
});

test("the button of a fix gives the whole file without the model", async () => {
  const mocked = await over(cause + goodEdit);
  const [whole] = (await runFlow(mocked, "fix")).actions;
  if (whole?.action !== "confirm") throw new Error("There is no button.");
  const { prompt } = whole.data;
  const answer = await runFlow(mocked, "fix", prompt === undefined ? {} : { prompt });
  expect(answer.said).toContain(fixed);
  expect(messagesSeen(mocked.mock)).toHaveLength(1);
});

test("optimize tells the aim that the person's words name", async () => {
  const mocked = await over(`One pass.\n\n${optimizeEdit}`);
  const answer = await runFlow(mocked, "optimize", { prompt: "Make it more readable" });
  expect(answer.said).toContain("+  return items.reduce((sum, { price }) => sum + price, 0);");
  expect(buttonsOf(answer)).toEqual(["optimize", "unittest", "explain"]);
  expect(lastMessage(mocked.mock)).toContain("Readability: easier to understand");
  expect(lastMessage(mocked.mock)).toContain("Make it more readable");
});

describe("docstring", () => {
  test("shows the comment as a diff", async () => {
    const mocked = await over(docEdit);
    const answer = await runFlow(mocked, "docstring");
    expect(answer.said).toContain("+/** Adds up the prices of the items. */\n export function");
    expect(buttonsOf(answer)).toEqual(["docstring", "unittest", "explain"]);
    expect(lastMessage(mocked.mock)).toContain("JSDoc");
  });

  test("tells the model that code must stay, and takes what it sends then", async () => {
    const mocked = await startMocked((mock) =>
      mock
        .onMessage(editAgain, { content: docEdit })
        .onMessage(aboutCart, { content: fileEdit("  let sum = 0;\n", "  let sum = 1;\n") }),
    );
    const answer = await runFlow(mocked, "docstring");
    expect(lastMessage(mocked.mock, 1)).toContain("only comments may change");
    expect(answer.said).toContain("+/** Adds up the prices of the items. */");
    expect(answer.said).not.toContain("let sum = 1");
  });
});

describe("unittest", () => {
  const expectCases = (answer: Awaited<ReturnType<typeof runFlow>>): void => {
    const [tree] = answer.actions;
    if (tree?.action !== "tree") throw new Error("There is no tree.");
    expect(tree.data.nodes.map(({ type, name }) => `${type}: ${name}`)).toEqual([
      "category: happy path",
      "case: adds two prices of 2 and 3 to 5",
      "category: edge case",
      "case: gives 0 for no items",
    ]);
    expect(buttonsOf(answer)).toEqual(["unittest-write"]);
    expect(answer.reasons).toEqual(["stop"]);
  };

  test("has the cases as a tree and a button that writes them all", async () => {
    const mocked = await over(cases);
    const answer = await runFlow(mocked, "unittest");
    expectCases(answer);
    expect(answer.said).toContain("1. happy path: adds two prices of 2 and 3 to 5\n");
    expect(lastMessage(mocked.mock)).toContain("sum =+ item.price;");
  });

  test("asks once more after JSON that is broken", async () => {
    const broken = cases.slice(0, -20);
    const mocked = await startMocked((mock) =>
      mock.onMessage(casesAgain, { content: cases }).onMessage(aboutCart, { content: broken }),
    );
    expectCases(await runFlow(mocked, "unittest"));
    const [, second = []] = messagesSeen(mocked.mock);
    expect(messagesSeen(mocked.mock)).toHaveLength(2);
    expect(second.at(-2)).toEqual({ role: "assistant", content: broken });
    expect(second.at(-1)?.content).toContain("The answer is not a JSON object.");
  });

  test("names the field that is wrong to the model", async () => {
    const mocked = await startMocked((mock) =>
      mock
        .onMessage(casesAgain, { content: cases })
        .onMessage(aboutCart, { content: cases.replaceAll("description", "colour") }),
    );
    expectCases(await runFlow(mocked, "unittest"));
    expect(lastMessage(mocked.mock, 1)).toContain("test_cases[0].description");
  });

  test.each([
    { language: "en", message: "The model did not return a list of test cases" },
    { language: "zh", message: "模型没有给出测试用例列表" },
  ])("says in $language that there are no cases after two broken answers", async (locale) => {
    const { language, message } = locale;
    const mocked = await startMocked((mock) => mock.onMessage(/./, { content: '{"test_cases":' }));
    const answer = await runFlow(mocked, "unittest", { language });
    expect(answer.said).toContain(message);
    expect(buttonsOf(answer)).toEqual(["unittest"]);
    expect(messagesSeen(mocked.mock)).toHaveLength(2);
  });
});

test("unittest-write passes the file on; the model knows framework, path and case", async () => {
  const mocked = await over(testFile);
  const prompt = "edge case: gives 0 for no items";
  const answer = await runFlow(mocked, "unittest-write", { prompt });
  expect(answer.said).toBe(testFile);
  expect(buttonsOf(answer)).toEqual(["unittest"]);
  const asked = lastMessage(mocked.mock);
  expect(asked).toContain("vitest");
  expect(asked).toContain("src/cart.test.js");
  expect(asked).toContain(prompt);
  expect(asked).toContain("sum =+ item.price;");
});

describe("an edit that does not fit", () => {
  test.each(["fix", "optimize"])(
    "of %s is asked for again with the engine's report",
    async (command) => {
      const mocked = await startMocked((mock) =>
        mock
          .onMessage(editAgain, { content: goodEdit })
          .onMessage(aboutCart, { content: cause + misfit }),
      );
      const answer = await runFlow(mocked, command);
      expect(answer.said.startsWith(cause)).toBe(true);
      expect(answer.said).toContain("The model is asked once more");
      expect(answer.said).toContain("+    sum += item.price;");
      expect(buttonsOf(answer)).toEqual([command, "unittest", "explain"]);
      const [first = [], second = []] = messagesSeen(mocked.mock);
      expect(messagesSeen(mocked.mock)).toHaveLength(2);
      expect(second.slice(0, -2)).toEqual(first);
      expect(second.at(-2)).toEqual({ role: "assistant", content: cause + misfit });
      expect(second.at(-1)?.content).toContain("SEARCH was not found in the file");
    },
  );

  test("twice changes nothing, and says so", async () => {
    const mocked = await startMocked((mock) => mock.onMessage(/./, { content: cause + misfit }));
    const answer = await runFlow(mocked, "fix");
    expect(answer.said).toContain("**Nothing was changed**");
    expect(answer.said).not.toContain("**New code**");
    expect(buttonsOf(answer)).toEqual(["fix"]);
    expect(answer.reasons).toEqual(["stop"]);
    expect(messagesSeen(mocked.mock)).toHaveLength(2);
  });

  test("because it stands in two places is not asked for again: a tree lets a person choose", async () => {
    const twice = fileEdit("}\n", "};\n");
    const mocked = await over(cause + twice);
    const answer = await runFlow(mocked, "fix", { isSelected: false });
    const [tree] = answer.actions;
    if (tree?.action !== "tree") throw new Error("There is no tree.");
    const names = ["line 7, total: }", "line 11, count: }"];
    expect(tree.data.nodes.map(({ name }) => name)).toEqual(names);
    expect(messagesSeen(mocked.mock)).toHaveLength(1);
    const prompt = tree.data.nodes[1]?.prompt ?? "";
    const clicked = await runFlow(mocked, "fix", { prompt });
    expect(clicked.said).toContain("@@ -8,4 +8,4 @@");
    expect(messagesSeen(mocked.mock)).toHaveLength(1);
  });
});
