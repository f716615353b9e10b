import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printSteps, readTyped } from "../../../src/flows/click/typed-steps.ts";
import { clickTree, confirmAction, type TreeNode, treeRoot } from "../../../src/turn/action.ts";

const explain = { command: "explain", locale: "en" } as const;
const button = (command: string, prompt: string) =>
  confirmAction({ title: "Title", message: "Message", command, prompt });
const node = (nth: number, prompt: string): TreeNode => ({
  id: `node-${nth}`,
  pId: treeRoot,
  type: "node",
  name: `name\n${nth}`,
  description: "",
  labels: [],
  prompt,
});
const tree = (command: string, ...prompts: string[]) =>
  clickTree(
    "tree",
    prompts.map((prompt, nth) => node(nth + 1, prompt)),
    { nodeType: "node", command },
  );

/** The list alone. */
const linesOf = (text: string): string[] =>
  text.split("\n").filter((line) => /^ *[-\d]/.test(line));

describe("a button", () => {
  test.each([
    ["is its command", button("fix", "Fix this."), ["- `/fix`: Message"]],
    ["carries its lines on", button("fix", "Fix a, lines 1-2"), ["- `/fix a, lines 1-2`: Message"]],
    ["says in words what does not fit", button("fix", "Fix.\n- a"), ["- `/fix Message`: Title"]],
    ["that goes on with this very answer is left out", button("explain", "All.\nlet a;"), []],
    ["of a command that cannot be typed is left out", button("fix all", "Fix."), []],
    ["with a backtick stays one piece of code", button("f`x", "Fix."), ["- `` /f`x ``: Message"]],
  ])("%s", (_, action, lines) => {
    expect(linesOf(printSteps([action], explain))).toEqual(lines);
  });
});

describe("a tree", () => {
  test("whose nodes name lines is a list of commands", () => {
    const action = tree("explain", "Explain a, lines 1-2", "Explain b, lines 3-4");
    expect(linesOf(printSteps([action], explain))).toEqual([
      "- `/explain a, lines 1-2`: name 1",
      "- `/explain b, lines 3-4`: name 2",
    ]);
  });

  test.each([
    ["unittest-write", 3, "1 3"],
    ["unittest-write", 2, "1"],
    ["explain", 3, "1"],
  ])("of %s with %i other nodes is a list with numbers", (command, count, numbers) => {
    const prompts = Array.from(
      { length: count },
      (_, nth) => `Write tests for lines 1-9\n\n\`\`\`text\ncase ${nth}\n\`\`\``,
    );
    expect(linesOf(printSteps([tree(command, ...prompts)], explain))).toEqual([
      `- \`/${command} ${numbers} lines 1-9\`, with numbers of this list:`,
      ...prompts.map((__, nth) => `  ${nth + 1}. name ${nth + 1}`),
    ]);
  });

  test("without nodes is nothing", () => {
    expect(printSteps([tree("explain")], explain)).toBe("");
  });
});

test("of very many steps the first ones are shown, and it is said", () => {
  const actions = Array.from({ length: 60 }, (_, nth) => button(`c${nth}`, "x"));
  const text = printSteps(actions, { ...explain, locale: "zh" });
  expect(linesOf(text)).toHaveLength(50);
  expect(text).toMatch(/部分后续操作未显示/);
});

describe("what is typed", () => {
  const isCommand = (name: string): boolean => ["fix", "unittest-write", "评审"].includes(name);
  const read = (text: string, locale: "en" | "zh" = "en") => readTyped(text, isCommand, locale);

  test.each([
    ["/fix", "fix", ""],
    ["  /fix  the loop\nplease", "fix", "the loop\nplease"],
    ["/fix a, lines 1-2", "fix", "a, lines 1-2"],
    ["/评审 看看", "评审", "看看"],
    ["/unittest-write 2", "unittest-write", "Number 2 of the last list in your answer."],
    [
      "/unittest-write 1, 3 a, lines 1-2\nBriefly",
      "unittest-write",
      "Numbers 1, 3 of the last list in your answer. a, lines 1-2\nBriefly",
    ],
    ["/fix 3rd line", "fix", "3rd line"],
    ["/fix 404 is returned", "fix", "404 is returned"],
    ["/fix 2, please\nnow", "fix", "2, please\nnow"],
  ])("%j is %s with %j", (text, command, prompt) => {
    expect(read(text)).toEqual({ command, prompt });
  });

  test.each(["fix", "/fixx", "/etc/passwd is gone", "/", "a /fix", "/__proto__"])(
    "%j is no command",
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  test("numbers bring along what the last list has for them, and others are refused", () => {
    const items = fc.array(fc.stringMatching(/^[^\s\d][^\n\r\u2028\u2029]*\S$/), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        items,
        fc.array(fc.integer({ min: 0, max: 45 }), { minLength: 1 }),
        (all, some) => {
          const list = all.map((item, nth) => `  ${nth + 1}. ${item}`).join("\n");
          const answer = `1. one\n2. two\n\n- \`/fix 1\`:\n${list}\n- \`/explain\`: more`;
          const asked = () =>
            readTyped(`/unittest-write ${some.join(" ")} a, lines 1-2`, isCommand, "en", answer)
              ?.prompt;
          const missing = some.find((number) => all[number - 1] === undefined);
          const chosen = some.map((number) => `${number}. ${all[number - 1]}`);
          if (missing === undefined) expect(asked()?.split("\n").slice(1)).toEqual(chosen);
          else
            expect(asked).toThrow(
              `no number ${missing} in the last list. It has the numbers 1 to ${all.length}.`,
            );
        },
      ),
    );
  });

  test("numbers are told in the person's language", () => {
    expect(read("/unittest-write 1、3", "zh")?.prompt).toBe("你上一个回答末尾列表中的第 1、3 项。");
  });
});
