// Long descriptions are read in a thread, which can be killed.
import { afterEach, expect, test } from "vitest";
import { createSpecReader } from "../../src/setup/threads/create-spec-reader.node.ts";
import { parseDescription, readYaml } from "../../src/tools/specs/spec-document.ts";

const open: { close(): void }[] = [];
afterEach(() => open.splice(0).forEach((reader) => reader.close()));

function createReader(maxTime?: number) {
  const reader = createSpecReader(maxTime);
  open.push(reader);
  return reader;
}

const items = (count: number): string =>
  `openapi: 3.0.0\nitems:\n${"  - { name: 名称, sizes: [1, 2.5, null, true] }\n".repeat(count)}`;
const long = items(10_000);

test("a long text means the same in the thread, and its faults are the same", async () => {
  const { read } = createReader();
  const bomb = `a0: &a0 [1]\n${Array.from({ length: 30 }, (_, nth) => `a${nth + 1}: &a${nth + 1} [*a${nth}, *a${nth}]\n`).join("")}`;
  for (const text of [long, "a: 1\n\tb: 2", bomb, `a: ${"[".repeat(300)}`, "- 1", ""])
    expect(await read(text)).toEqual(await readYaml(text));
});

test("only what is long goes to the thread, whatever it says", async () => {
  const asked: number[] = [];
  const readLong = async (text: string) => {
    asked.push(text.length);
    return { value: { long: true } };
  };
  const parse = (text: string) => parseDescription(text, "p", 10_485_760, readLong);
  expect(await parse("a: 1")).toEqual({ a: 1 });
  expect(await parse(long)).toEqual({ long: true });
  expect(await parse(JSON.stringify({ a: "x".repeat(100_000) }))).toHaveProperty("a");
  expect(asked).toEqual([long.length]);
});

test("a thread that takes too long is killed, and the next text has another one", async () => {
  const { read } = createReader(500);
  const [first, second] = await Promise.all([read(items(300_000)), read("a: 1")]);
  expect(first).toEqual({
    fault: expect.objectContaining({ en: expect.stringContaining("in time") }),
  });
  expect(second).toEqual({ value: { a: 1 } });
});
