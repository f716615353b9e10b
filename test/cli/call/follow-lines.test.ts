import { expect, test } from "vitest";
import { followLines } from "../../../src/cli/call/choose/apply-change.ts";

const before = "1\n2\n3\n4\n5\n6\n";
const follow = (first: number, last: number, after: string) => {
  return followLines(`${first}-${last}`, before, after).split("-").map(Number);
};

test("lines above a change stay, lines below it move with it", () => {
  expect(follow(1, 2, "1\n2\n3\nnew\n4\n5\n6\n")).toEqual([1, 2]);
  expect(follow(4, 5, "new\n1\n2\n3\n4\n5\n6\n")).toEqual([5, 6]);
  expect(follow(4, 5, "2\n3\n4\n5\n6\n")).toEqual([3, 4]);
});

test("lines that hold a change grow and shrink with it", () => {
  expect(follow(2, 5, "1\n2\n3a\n3b\n4\n5\n6\n")).toEqual([2, 6]);
  expect(follow(2, 5, "1\n2\n5\n6\n")).toEqual([2, 3]);
  expect(follow(2, 5, before)).toEqual([2, 5]);
});

test("what is put right above the lines, such as a doc comment, belongs to them", () => {
  expect(follow(2, 3, "1\n/** */\n2\n3\n4\n5\n6\n")).toEqual([2, 4]);
});

test("an end that lies in what was changed takes all of that in", () => {
  expect(follow(3, 6, "1\n2a\n3a\n4a\n5\n6\n")).toEqual([2, 6]);
  expect(follow(1, 3, "1\n2a\n3a\n4a\n4b\n5\n6\n")).toEqual([1, 5]);
});

test("lines that are gone leave one line of the file", () => {
  expect(follow(5, 6, "1\n2\n3\n4\n")).toEqual([4, 4]);
  expect(follow(1, 6, "")).toEqual([1, 1]);
});
