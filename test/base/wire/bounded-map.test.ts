import { expect, test } from "vitest";
import { BoundedMap } from "../../../src/base/wire/known-member.ts";

const create = () => new BoundedMap<string, string>(10, (text) => text.length);

test("what was put in first is forgotten first, as soon as all weigh too much", () => {
  const map = create();
  for (const text of ["aaaa", "bbbb", "ccc"]) map.set(text, text);
  expect(["aaaa", "bbbb", "ccc"].map((key) => map.get(key))).toEqual([undefined, "bbbb", "ccc"]);
});

test("a value that is put in again takes the place of the earlier one, also in weight", () => {
  const map = create();
  map.set("a", "12345");
  map.set("b", "123");
  map.set("a", "1234567");
  expect([map.get("a"), map.get("b")]).toEqual(["1234567", "123"]);
});

test("a value that weighs more than all is not kept, and nothing else is", () => {
  const map = create();
  map.set("a", "1");
  map.set("b", "x".repeat(11));
  map.set("c", "1");
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, undefined, "1"]);
});
