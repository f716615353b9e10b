import { describe, expect, test } from "vitest";
import { parsePlace } from "../../../src/cli/call/collect/read-editor.ts";
import { collectCode, requireFunction } from "../../../src/cli/ws/request.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";
import { cart, item, parser } from "./test-project.ts";

function collect(place: string, directory = "", files: Record<string, string> = {}) {
  const root = temporaryFolder({ "shop/item.py": item, "shop/cart.py": cart, ...files });
  const named = parsePlace(place, () => false);
  return collectCode(named, directory === "" ? root : `${root}/${directory}`, root, parser);
}

const lines = (text: string, first: number, last: number): string =>
  text
    .split("\n")
    .slice(first - 1, last)
    .join("\n");

describe("what is selected", () => {
  test("are the lines that were named, with a place from 0", async () => {
    const { selected, visible, filepath } = await collect("shop/cart.py:8-9");
    expect(selected).toEqual({
      filepath: "shop/cart.py",
      range: { start: { line: 7, character: 0 }, end: { line: 8, character: 22 } },
      text: lines(cart, 8, 9),
    });
    expect(visible.text).toContain(selected.text);
    expect(filepath).toBe("shop/cart.py");
  });

  test("is the function around a cursor, in whole lines", async () => {
    const { selected } = await collect("shop/item.py:3:9");
    expect(selected.text).toBe(lines(item, 2, 3));
    expect(selected.range.start).toEqual({ line: 1, character: 0 });
  });

  test("is the line of a cursor that is in nothing", async () => {
    const { selected } = await collect("notes.txt:2:1", "", { "notes.txt": "one\ntwo\nthree\n" });
    expect(selected.text).toBe("two");
  });

  test("is the whole file where nothing was named", async () => {
    const { selected } = await collect("shop/cart.py");
    expect(selected.text).toBe(cart.slice(0, -1));
    expect(selected.range.end).toEqual({ line: 10, character: 29 });
  });
});

test("a file is named from the root, wherever one is", async () => {
  expect((await collect("cart.py:1", "shop")).filepath).toBe("shop/cart.py");
});

describe("the function to test", () => {
  test.each([
    ["around the first line of a selection", "shop/cart.py:9-10", "total"],
    ["below its first line", "shop/item.py:4-6", "discounted"],
    ["around a cursor", "shop/item.py:7:1", "discounted"],
    ["of a file with a single one", "shop/cart.py", "total"],
  ])("is the one %s", async (_, place, name) => {
    expect(requireFunction(await collect(place)).name).toBe(name);
  });

  test("comes with every name that it uses, at the first use", async () => {
    const { symbols, range } = requireFunction(await collect("shop/cart.py:8"));
    expect(range).toEqual({ start: { line: 5, character: 0 }, end: { line: 10, character: 29 } });
    const [symbol] = symbols;
    expect(symbol).toMatchObject({ name: "total", kind: "Function" });
    const names = symbol?.children.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["Item", "discounted", "price", "LIMIT"]));
    const limit = symbol?.children.find(({ name }) => name === "LIMIT");
    expect(limit?.range.start).toEqual({ line: 10, character: 23 });
  });

  test("is asked for with the names of the file where the place means none", async () => {
    const collected = await collect("shop/item.py");
    expect(() => requireFunction(collected)).toThrow(
      "Name the function to test by one of its lines, such as shop/item.py:10. There are: __init__ (shop/item.py:2), discounted (shop/item.py:6).",
    );
  });
});

test("a place that is not in the file is refused", async () => {
  await expect(collect("shop/cart.py:99")).rejects.toThrow("--lines 99-99 is not in shop/cart.py");
  await expect(collect("shop/none.py")).rejects.toThrow("shop/none.py does not exist.");
});
