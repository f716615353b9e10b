import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../../src/turn/tokens.ts";
import { type MapReason, describeReason } from "../../../../src/flows/loop/context/weigh-files.ts";
import {
  type MapUse,
  type RepositoryMap,
  mapRepository,
} from "../../../../src/flows/loop/context/map-repository.ts";
import type { ListOptions } from "../../../../src/workspace/workspace.ts";
import { createTextWorkspace } from "../../../helpers/text-workspace.ts";
import { code } from "../../../helpers/code-parser.ts";

const shop = {
  "README.md": "# Shop\n\nSells tea.\n",
  "src/cart.ts":
    'import { priceOf } from "./price.ts";\n\nexport class Cart {\n  total(): number {\n    return priceOf(this);\n  }\n}\n',
  "src/order.ts":
    'import { Cart } from "./cart.ts";\n\nexport function order(cart: Cart): number {\n  return cart.total();\n}\n',
  "src/price.ts": "export function priceOf(cart: unknown): number {\n  return 1;\n}\n",
  "src/greeting.ts": 'export const greeting = "欢迎光临，{name}！";\n',
  "src/shipping/parcel.ts": "export function packParcel(): void {}\n",
  "test/price.test.ts": 'import { priceOf } from "../src/price.ts";\n\npriceOf({});\n',
};

function map(
  request: string,
  files: Record<string, string> = shop,
  use: Partial<MapUse> = {},
): Promise<RepositoryMap> {
  const workspace = createTextWorkspace(new Map(Object.entries(files)));
  const { signal } = new AbortController();
  return mapRepository(workspace, request, { code, signal, ...use });
}

function whyOf({ files }: RepositoryMap, path: string): MapReason | undefined {
  return files.find((file) => file.path === path)?.why;
}

describe("the receipt says why a file is there", () => {
  test.each<[string, string, MapReason]>([
    ["Why does `Cart.total` fail?", "src/cart.ts", { kind: "defines", what: "total" }],
    ["Why does `Cart.total` fail?", "src/order.ts", { kind: "refers", what: "total" }],
    ["Why does `Cart.total` fail?", "src/price.ts", { kind: "near", what: "" }],
    ["Look at src/order.ts", "src/order.ts", { kind: "named", what: "" }],
    ["Look at @src/shipping/parcel.ts", "src/shipping/parcel.ts", { kind: "named", what: "" }],
    ["Parcels get lost", "src/shipping/parcel.ts", { kind: "word", what: "parcels" }],
    ["请把欢迎光临改成您好", "src/greeting.ts", { kind: "holds", what: "欢迎光临" }],
    ["test/price.test.ts fails", "src/price.ts", { kind: "word", what: "price" }],
    ["Something returns nonsense", "src/price.ts", { kind: "says", what: "returns" }],
  ])("%s: %s", async (request, path, why) => {
    expect(whyOf(await map(request), path)).toEqual(why);
  });

  test("in words of both languages", () => {
    expect(describeReason({ kind: "refers", what: "total" })).toEqual({
      en: "refers to `total`",
      zh: "用到 `total`",
    });
  });
});

test("what is named comes first, that with @ before all others", async () => {
  const { files } = await map("Use src/order.ts as @src/shipping/parcel.ts does", shop, {
    maxTokens: 16,
  });
  expect(files.map(({ path }) => path)).toEqual(["src/shipping/parcel.ts", "src/order.ts"]);
});

test("a map costs no more than it may", async () => {
  for (const maxTokens of [0, 5, 20, 60]) {
    const { text } = await map("Rename priceOf()", shop, { maxTokens });
    expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
  }
});

test("files that import a named file are in the map before others", async () => {
  const { files } = await map("Delete src/price.ts", shop, { maxTokens: 40 });
  const paths = files.map(({ path }) => path);
  expect(paths[0]).toBe("src/price.ts");
  expect(paths).toContain("src/cart.ts");
  expect(paths).toContain("test/price.test.ts");
});

test("of ten thousand files the most probable are read, and the named one is in the map", async () => {
  const files = new Map(
    Array.from({ length: 10_000 }, (_, nth) => [
      `lib/${nth % 100}/part${nth}.py`,
      `def part_${nth}():\n    return ${nth + 1}\n`,
    ]),
  );
  files.set("lib/57/user.py", "from lib.part import part_9057\n\nprint(part_9057())\n");
  const workspace = createTextWorkspace(files);
  const { signal } = new AbortController();
  const use = { code, signal };
  const { text, files: shown } = await mapRepository(workspace, "Make `part_9057` faster", use);
  expect(workspace.reads.length).toBeLessThanOrEqual(200);
  expect(
    shown
      .slice(0, 2)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(["lib/57/part9057.py", "lib/57/user.py"]);
  expect(estimateTokens(text)).toBeLessThanOrEqual(2_000);
});

test("of many files those beside the ones that are meant are read before others", async () => {
  const files = new Map(
    Array.from({ length: 1_000 }, (_, nth) => [`lib/${nth % 50}/part${nth}.py`, "x = 1\n"]),
  );
  const workspace = createTextWorkspace(files);
  const { signal } = new AbortController();
  const use = { code, signal };
  await mapRepository(workspace, "Split lib/49/part999.py", use);
  expect(workspace.reads[0]).toBe("lib/49/part999.py");
  expect(workspace.reads).toContain("lib/49/part49.py");
});

test("a folder that another's listing cuts is listed on its own", async () => {
  const files = new Map([["deep/folder/file.ts", "export const a = 1;\n"]]);
  const whole = createTextWorkspace(files);
  const cut = { name: "deep", kind: "folder", inside: { entries: [], more: 1 } } as const;
  const workspace = {
    ...whole,
    list: (path: string, options: ListOptions) =>
      path === "."
        ? Promise.resolve({ ok: true as const, value: { path, entries: [cut], more: 0 } })
        : whole.list(path, options),
  };
  const { signal } = new AbortController();
  const use = { code, signal };
  const { files: shown } = await mapRepository(workspace, "Look around", use);
  expect(shown.map(({ path }) => path)).toEqual(["deep/folder/file.ts"]);
});

test("what others wrote, what cannot be read and what is too large is not read", async () => {
  const files = {
    "src/a.ts": "export const a = 1;\n",
    "src/large.ts": `export const large = "${"x".repeat(600_000)}";\n`,
    "node_modules/a/index.js": "export const a = 1;\n",
  };
  const workspace = createTextWorkspace(new Map(Object.entries(files)));
  const { signal } = new AbortController();
  const use = { code, signal };
  const { files: shown } = await mapRepository(workspace, "Where is `a`?", use);
  expect(workspace.reads).toEqual(["src/a.ts"]);
  expect(shown.map(({ path }) => path)).toEqual(["src/a.ts", "src/large.ts"]);
});

/** The files of a repository in which most are alike, the most important first. */
async function firstOf(request: string, files: Record<string, string>): Promise<string[]> {
  const alike = Array.from({ length: 30 }, (_, nth) => [
    `src/many/other${nth}.ts`,
    `// Prints the list of orders.\nexport function other${nth}(): void {}\n`,
  ]);
  const { files: shown } = await map(request, { ...Object.fromEntries(alike), ...files });
  return shown.map(({ path }) => path);
}

describe("what the request does not name is found by", () => {
  test("words that few texts have, before those that most have", async () => {
    const odd = {
      "src/many/odd.ts": "// Rounds halves of the invoice up.\nexport const odd = 1;\n",
    };
    expect((await firstOf("Print the list when invoices are rounded", odd))[0]).toBe(
      "src/many/odd.ts",
    );
  });

  test("the end of a path without its ending", async () => {
    const bodies = {
      "src/a/body.ts": "export const a = 1;\n",
      "src/utils/body.ts": "export const b = 1;\n",
      "src/z/body.ts": "export const c = 1;\n",
    };
    expect((await firstOf("refactor(utils/body): make it shorter", bodies))[0]).toBe(
      "src/utils/body.ts",
    );
  });

  test("a trace in a block", async () => {
    const request =
      'It stops:\n\n```\nTraceback (most recent call last):\n  File "/app/shop/pay.py", line 3, in charge\n```\n';
    const files = {
      "lib/pay.py": "def a():\n    pass\n",
      "shop/pay.py": "def b():\n    pass\n",
      "web/pay.py": "def c():\n    pass\n",
    };
    expect((await firstOf(request, files))[0]).toBe("shop/pay.py");
  });
});

test("code comes before a test that says the same, unless tests are asked for", async () => {
  const text = "// Rounds the invoice.\nexport const round = 1;\n";
  const files = { "src/one.ts": text, "a/tests/one.ts": text };
  expect((await firstOf("The invoice is not rounded", files))[0]).toBe("src/one.ts");
  expect((await firstOf("Let tests round the invoice", files)).slice(0, 2)).toContain(
    "a/tests/one.ts",
  );
});

test("of many files one is read whose text alone has a word of the request", async () => {
  const files = new Map(
    Array.from({ length: 1_000 }, (_, nth) => [`lib/${nth % 50}/part${nth}.py`, "x = 1\n"]),
  );
  files.set("lib/49/part999.py", "# Rounds the invoice.\ny = 1\n");
  const workspace = createTextWorkspace(files);
  const { signal } = new AbortController();
  const use = { code, signal };
  const { files: shown } = await mapRepository(workspace, "Why are invoices rounded?", use);
  expect(shown[0]).toEqual({ path: "lib/49/part999.py", why: { kind: "says", what: "rounded" } });
  expect(workspace.reads.length).toBeLessThanOrEqual(200);
});

test("whatever else a request says, a file that it names is in the map, which is the same for any order", async () => {
  const part = fc.constantFrom("cart", "priceOf", "test", "docs", "utils", "订单");
  const path = fc
    .tuple(part, part, fc.constantFrom(".ts", ".py", ".kt", ".md", ".test.js"))
    .map(([folder, name, ending]) => `${folder}/${name}${ending}`);
  const text = fc.constantFrom("", "export const cart = priceOf();\n", "# 订单 cart test\n");
  const repository = fc.dictionary(path, text, { minKeys: 1, maxKeys: 12 });
  await fc.assert(
    fc.asyncProperty(repository, fc.string(), fc.nat(), async (files, words, nth) => {
      const named = Object.keys(files)[nth % Object.keys(files).length] ?? "";
      const request = `${words}\nLook at ${named}`;
      const drawn = await map(request, files, { maxTokens: 30 });
      expect(drawn.files.map((file) => file.path)).toContain(named);
      expect(estimateTokens(drawn.text)).toBeLessThanOrEqual(30);
      expect(
        await map(request, Object.fromEntries(Object.entries(files).toReversed()), {
          maxTokens: 30,
        }),
      ).toEqual(drawn);
    }),
    { numRuns: 40 },
  );
});

test("a request that is given up throws the reason of its signal", async () => {
  const gone = new Error("gone");
  await expect(map("Where?", shop, { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
});
