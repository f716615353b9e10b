import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReasoningSplitter, type SplitPiece } from "../../../src/base/text/reasoning.ts";

function split(...deltas: string[]): SplitPiece[] {
  const splitter = new ReasoningSplitter();
  const joined: SplitPiece[] = [];
  for (const piece of [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()]) {
    const last = joined.at(-1);
    if (last !== undefined && piece.type === last.type && "text" in piece && "text" in last)
      last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

const text = (value: string) => ({ type: "text", text: value });
const reasoning = (value: string) => ({ type: "reasoning", text: value });

describe("reasoning", () => {
  test("that is not closed lasts to the end", () => {
    expect(split("<think>\nHm.\n------- SEARCH\na\n")).toEqual([
      reasoning("\nHm.\n------- SEARCH\na\n"),
    ]);
  });

  test("comes out before its line ends, but for what may close it", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.push("<think>Hm")).toEqual([reasoning("Hm")]);
    expect(splitter.push(" so </th")).toEqual([reasoning(" so ")]);
    expect(splitter.push("ink>\n")).toEqual([]);
    expect(splitter.push("Hello")).toEqual([text("Hello")]);
  });
});

describe("a tag is code", () => {
  test.each([
    ["inside REPLACE", "------- SEARCH\na\n=======\n</think>\n<think>\n+++++++ REPLACE\n"],
    ["inside a code fence", "```html\n<think>\n</think>\n```\n"],
    ["after a code fence, if it closes what was never opened", "```\na\n```\n</think>\n"],
    [
      "after a unit, if it closes what was never opened",
      "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n</think>\n",
    ],
    ["in the middle of a line", "Write <think> before it.\n"],
    ["in backticks", "`<think>` and `</think>` are tags.\n"],
    ["with a longer name", "<thinker>\n</thinkers>\n"],
  ])("%s", (_, answer) => {
    expect(split(answer)).toEqual([text(answer)]);
  });
});

test("the cuts of an answer change nothing", () => {
  const piece = fc.constantFrom(
    ..."<think> </think> <thinking> [THINK] [/THINK] ◁ think▷ <th ink> </".split(" "),
    "\n",
    "\r\n",
    "a",
    " ",
    "`",
    "```\n",
    "------- SEARCH\n",
    "+++++++ REPLACE\n",
    "=======\n",
    "<",
  );
  const answer = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(answer, (whole) => {
      expect(split(...whole.split(""))).toEqual(split(whole));
    }),
    { numRuns: 3_000 },
  );
});

test("a million signs that begin a tag take no longer than others", () => {
  const splitter = new ReasoningSplitter();
  splitter.push("<think>");
  for (const sign of ["<", "[", "</thin"]) splitter.push(sign.repeat(1_000_000));
  expect(splitter.end()).toHaveLength(1);
});
