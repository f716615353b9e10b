import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type MapFocus,
  type MappedFile,
  type MappedSymbol,
  type RankedFile,
  printMap,
  rankFiles,
} from "../../src/code/file-map.ts";
import { estimateTokens } from "../../src/turn/tokens.ts";

const lines = { startLine: 1, endLine: 1 };

function file(path: string, defines: readonly string[], uses: readonly string[] = []): MappedFile {
  const symbols = defines.map((name, nth): MappedSymbol => {
    return {
      name,
      kind: "function",
      line: nth * 10 + 1,
      level: 0,
      lines,
      signature: `${name}(cart)`,
    };
  });
  return { path, symbols, names: [...defines, ...uses] };
}

function focusOn(files: Record<string, number>, names: Record<string, number> = {}): MapFocus {
  return { files: new Map(Object.entries(files)), names: new Map(Object.entries(names)) };
}

function rank(files: readonly MappedFile[], focus: MapFocus = focusOn({})): RankedFile[] {
  return rankFiles(files, focus);
}

function pathsOf(ranked: readonly RankedFile[]): string[] {
  return ranked.map(({ file: { path } }) => path);
}

function print(ranked: readonly RankedFile[], maxTokens = 2_000, first: readonly string[] = []) {
  return printMap(ranked, { maxTokens, countTokens: estimateTokens, first });
}

const shop = [
  file("a/alone.ts", ["alone"]),
  file("a/cart.ts", ["Cart", "emptyCart"], ["price"]),
  file("a/invoice.ts", ["print"], ["Cart", "price"]),
  file("a/price.ts", ["price", "round"]),
];

describe("ranks", () => {
  test("without a request, what is referred to most comes first", () => {
    expect(pathsOf(rank(shop))[0]).toBe("a/price.ts");
    expect(pathsOf(rank(shop)).at(-1)).not.toBe("a/price.ts");
  });

  test("a file that the request names comes first, then what it refers to and what refers to it", () => {
    expect(pathsOf(rank(shop, focusOn({ "a/cart.ts": 1 })))).toEqual([
      "a/cart.ts",
      "a/price.ts",
      "a/invoice.ts",
      "a/alone.ts",
    ]);
  });

  test("a name of the request makes the way to its definition wider", () => {
    const files = [
      file("caller.ts", ["call"], ["round", "print"]),
      file("one.ts", ["print"]),
      file("two.ts", ["round"]),
    ];
    const at = { "caller.ts": 1 };
    expect(pathsOf(rank(files, focusOn(at, { round: 1 })))).toEqual([
      "caller.ts",
      "two.ts",
      "one.ts",
    ]);
    expect(pathsOf(rank(files, focusOn(at, { print: 1 })))).toEqual([
      "caller.ts",
      "one.ts",
      "two.ts",
    ]);
  });

  test("a name that many files define leads to none of them", () => {
    const many = Array.from({ length: 9 }, (_, nth) => file(`many/${nth}.ts`, ["run"]));
    const files = [file("caller.ts", ["call"], ["run", "only"]), ...many, file("x.ts", ["only"])];
    expect(pathsOf(rank(files, focusOn({ "caller.ts": 1 })))[1]).toBe("x.ts");
  });

  test("the symbols that others use most have the largest share of their file", () => {
    const price = rank(shop).find(({ file: { path } }) => path === "a/price.ts");
    expect(price?.shares[0]).toBe(1);
    expect(price?.shares[1]).toBeLessThan(1);
  });
});

describe("the printed map", () => {
  test("has each path, and below it its symbols in the order of the text", () => {
    const inner = {
      name: "add",
      kind: "method",
      line: 3,
      level: 1,
      lines,
      signature: "add(line)",
    } as const;
    const cart = file("src/cart.ts", ["Cart"]);
    const ranked = rank([{ ...cart, symbols: [...cart.symbols, inner] }, file("README.md", [])]);
    expect(print(ranked).text).toBe("README.md:\nsrc/cart.ts:\n 1: Cart(cart)\n   3: add(line)\n");
  });

  test("leaves out what ranks least when there is no room", () => {
    const { text, paths } = print(rank(shop, focusOn({ "a/cart.ts": 1 })), 20);
    expect(paths).toEqual(["a/cart.ts", "a/price.ts", "a/invoice.ts"]);
    expect(text).toContain("Cart(cart)");
  });

  test("shows a file that is named even if its rank is the least", () => {
    expect(print(rank(shop, focusOn({ "a/cart.ts": 1 })), 5, ["a/alone.ts"]).paths).toEqual([
      "a/alone.ts",
    ]);
  });
});

const name = fc.constantFrom("total", "Cart", "price", "合计", "x", "_own", "main", "constructor");
const arbitraryFile = fc.record({
  path: fc.oneof(
    fc.string({ minLength: 1, maxLength: 60 }),
    fc.constantFrom("src/a.ts", "文件.py"),
  ),
  symbols: fc.array(
    fc.record({
      name,
      kind: fc.constantFrom("function", "property", "class", "variable", "constructor"),
      line: fc.integer({ min: 1, max: 9_999 }),
      level: fc.integer({ min: 0, max: 9 }),
      lines: fc.constant(lines),
      signature: fc.string({ maxLength: 120, unit: "grapheme" }),
    }),
    { maxLength: 8 },
  ),
  names: fc.uniqueArray(name),
});
const repository = fc.uniqueArray(arbitraryFile, { selector: ({ path }) => path, maxLength: 30 });
const weight = fc.double({ min: 0, max: 5, noNaN: true });
const anyFocus = fc.record({
  files: fc
    .array(fc.tuple(fc.constantFrom("src/a.ts", "文件.py", "gone.c"), weight))
    .map((all) => new Map(all)),
  names: fc
    .array(fc.tuple(name, fc.double({ min: 0, max: 1, noNaN: true })))
    .map((all) => new Map(all)),
});
const tokens = fc.integer({ min: 0, max: 400 });

describe("for any repository", () => {
  test("the map never costs more than it may", () => {
    fc.assert(
      fc.property(repository, anyFocus, tokens, (files, focus, maxTokens) => {
        const { text } = print(rank(files, focus), maxTokens, ["src/a.ts"]);
        expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });

  test("the map is the same for any order of the files", () => {
    const orders = repository.chain((files) =>
      fc.tuple(
        fc.constant(files),
        fc.shuffledSubarray(files, { minLength: files.length, maxLength: files.length }),
      ),
    );
    fc.assert(
      fc.property(orders, anyFocus, tokens, ([files, others], focus, maxTokens) => {
        expect(print(rank(others, focus), maxTokens)).toEqual(print(rank(files, focus), maxTokens));
      }),
    );
  });

  test("a file that is named is in the map if its path fits at all", () => {
    fc.assert(
      fc.property(repository, anyFocus, tokens, (files, focus, maxTokens) => {
        const [{ path } = { path: "" }] = files;
        fc.pre(path !== "" && estimateTokens(`${path.trim()}:\n`) <= maxTokens);
        expect(print(rank(files, focus), maxTokens, [path]).paths).toContain(path);
      }),
    );
  });

  test("ranks are shares of one whole, and the best symbol of a file has the share 1", () => {
    fc.assert(
      fc.property(repository, anyFocus, (files, focus) => {
        fc.pre(files.length > 0);
        const ranked = rank(files, focus);
        expect(ranked.reduce((sum, one) => sum + one.rank, 0)).toBeCloseTo(1, 6);
        for (const { shares } of ranked) if (shares.length > 0) expect(Math.max(...shares)).toBe(1);
      }),
    );
  });
});

test("a text of 8,000 tokens is the longest that is printed", () => {
  const files = Array.from({ length: 1_000 }, (_, nth) =>
    file(
      `src/${nth}/${"folder/".repeat(5)}file.ts`,
      ["one", "two"].map((each) => `${each}${nth}`),
    ),
  );
  const { text } = print(rank(files), 1_000_000);
  expect(estimateTokens(text)).toBeLessThanOrEqual(8_000);
  expect(estimateTokens(text)).toBeGreaterThan(7_000);
});
