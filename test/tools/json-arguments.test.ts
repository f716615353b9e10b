// Arguments as models write them in JSON, native or in text: the first whole object counts.
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/tools/run-call.ts";
import { readAnswer } from "./text-calls/read-answer.ts";

const code = 'function f() {\n\tif (a) {\n  say("hi", [1);\n';
const args = { target_file: "a.ts", code_edit: code };
const strict = JSON.stringify(args);
const broken = strict.replaceAll("\\n", "\n").replaceAll("\\t", "\t");

const objects: Readonly<Record<string, string>> = {
  "line breaks as escapes": strict,
  "real line breaks": broken,
  "real line breaks as on Windows": broken.replaceAll("\n", "\r\n"),
  "a comma too many": `${broken.slice(0, -1)},}`,
  "much text": JSON.stringify({ ...args, code_edit: code.repeat(2_000) }).replaceAll("\\n", "\n"),
};
const tails = [
  "",
  "</tool_call>",
  "\n</tool_call>\n",
  ' I wait for the "result".',
  "\n\nNow I wait {soon}.",
  "。我先等结果。",
  "}",
  "\n```",
  "<|im_end|>",
];

/** A call in text, with what comes behind its JSON inside of its tag. */
const dresses: readonly ((call: string, object: string, tail: string) => string)[] = [
  (call, _, tail) => `<tool_call>\n${call}${tail}\n</tool_call>\n`,
  (call, _, tail) => `\`\`\`json\n${call}${tail}\n\`\`\`\n`,
  (_, object, tail) => `<function=edit_file>${object}${tail}</function>\n`,
  (_, object, tail) => `<invoke name="edit_file">\n${object}${tail}\n</invoke>\n`,
  (_, object, tail) => `<tool_call>edit_file\n${object}${tail}\n</tool_call>\n`,
  (_, object, tail) =>
    `{"name": "edit_file", "arguments": ${JSON.stringify(`${object}${tail}`)}}\n`,
];

const normal = (text: string): string => text.replaceAll("\r\n", "\n");

describe.each(Object.entries(objects))("with %s", (name, object) => {
  const wanted = name === "much text" ? code.repeat(2_000) : code;
  test.each(tails)("a native call is read, with %j behind it, also twice", (tail) => {
    for (const json of [object, `${object}\n${object}`]) {
      const parsed = parseArguments(`${json}${tail}`);
      if (!parsed.ok) expect.fail(parsed.problem.en);
      expect(parsed.value["target_file"]).toBe("a.ts");
      expect(normal(String(parsed.value["code_edit"]))).toBe(wanted);
    }
  });

  test.each(tails)("a call in text is read, with %j behind it", (tail) => {
    const call = `{"name": "edit_file", "arguments": ${object}}`;
    for (const print of dresses) {
      const { calls } = readAnswer(print(call, object, tail), { size: 50 });
      expect(calls).toMatchObject([{ tool: "edit_file", args: { target_file: "a.ts" } }]);
      expect(normal(String(Object(calls[0]?.args).code_edit))).toBe(wanted);
    }
  });
});

test("arguments that end too early are refused, also where others come first", () => {
  for (let end = 1; end < broken.length; end += 1) {
    expect(parseArguments(broken.slice(0, end)).ok).toBe(false);
    expect(parseArguments(`${strict}${broken.slice(0, end)}`).ok).toBe(false);
  }
});
