// Tags in tags, as deep and as many as an answer can hold them.
import { describe, expect, test } from "vitest";
import { readAnswer } from "./read-answer.ts";

const call = '{"name": "read_file", "arguments": {"target_file": "a.js"}}';
const read = { tool: "read_file", args: { target_file: "a.js" } };
const names = ["tool_call", "tool_calls", "function_calls", "tool_use", "function_call"];

function nest(name: string, depth: number, inner: string, between = ""): string {
  return `<${name}>${between}`.repeat(depth) + inner + `${between}</${name}>`.repeat(depth);
}

test.each(["tool_calls", "function_calls"])("a call inside of a few <%s> is read", (name) => {
  for (const between of ["", "\n"]) {
    const answer = nest(name, 2, `<tool_call>${call}</tool_call>`, between);
    expect(readAnswer(answer).calls).toEqual([read]);
  }
});

describe.each(names)("calls in <%s>", (name) => {
  // The time of a test is the limit: to read each end of each tag with all inside would take years.
  test.each([30, 20_000])("inside of %i are not looked for any longer", (depth) => {
    for (const between of ["", "\n"]) {
      for (const inner of [call, "x"]) {
        for (const answer of [
          nest(name, depth, inner, between),
          `<tool_call>\n${nest(name, depth, inner, between)}\n</tool_call>`,
          `\`\`\`xml\n${nest(name, depth, inner, between)}\n\`\`\``,
          `<${name}>${between}`.repeat(depth),
          `<${name}>${inner}${`${between}</${name}>`.repeat(depth)}`,
        ]) {
          const { text, faults, calls } = readAnswer(answer, { size: 65_536 });
          expect(text.length).toBeLessThanOrEqual(answer.length);
          expect(faults.length + calls.length + text.length).toBeGreaterThan(0);
        }
      }
    }
  });
});
