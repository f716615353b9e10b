import { expect, test } from "vitest";
import { advance, PieceLoop } from "../../../src/base/text/progress.ts";

test("a step that stays where it is ends with an error, the last one aside", () => {
  let at = 0;
  let steps = 0;
  const step = (): boolean => {
    steps += 1;
    at += steps < 3 ? 1 : 0;
    return true;
  };
  expect(() => advance(() => at, step)).toThrow("does not go on");
  expect(steps).toBe(3);
  expect(() =>
    advance(
      () => at,
      () => false,
    ),
  ).not.toThrow();
});

test("pieces that are put back are read next, in their order", () => {
  const read: string[] = [];
  const loop = new PieceLoop((piece) => {
    read.push(piece);
    return piece.length > 2 ? [piece.slice(1, 2), piece.slice(2)] : [];
  });
  loop.read("abcd");
  expect(read).toEqual(["abcd", "b", "cd"]);
});

test("who puts back as much as it took ends with an error, also where it held several pieces", () => {
  expect(() => new PieceLoop((piece) => [piece]).read("a")).toThrow("does not go on");
  let held: string[] = [];
  const loop = new PieceLoop((piece) => {
    held.push(piece);
    if (held.length < 3) return undefined;
    const pieces = held;
    held = [];
    return pieces;
  });
  loop.read("a");
  loop.read("b");
  expect(() => loop.read("c")).toThrow("does not go on");
});

test("what is held at the end is read anew until nothing is held, and each time it gets less", () => {
  let held: string[] = [];
  const loop = new PieceLoop((piece) => void held.push(piece));
  loop.read("abc");
  const ends: string[] = [];
  const release = (): string[] | undefined => {
    const text = held.join("");
    held = [];
    ends.push(text);
    return text === "" ? undefined : [text.slice(1)];
  };
  loop.end(release);
  expect(ends).toEqual(["abc", "bc", "c", ""]);
  expect(() => loop.end(() => [])).toThrow("does not go on");
});
