import { array, assert, asyncProperty, constantFrom, option, record } from "fast-check";
import { expect, test } from "vitest";
import { namesBoundBy } from "../../src/code/symbols.ts";
import { parser } from "./read-fixture.ts";

async function listBound(text: string, language: string): Promise<string[]> {
  const analysis = await parser.analyze(text, language);
  return analysis.imports.flatMap((one) => namesBoundBy(one, analysis));
}

test.each([
  ["python", "from datetime import datetime, timedelta\n", ["datetime", "timedelta"]],
  ["python", "from cart import cart\n", ["cart"]],
  ["python", "import numpy as numpy\n", ["numpy"]],
  ["python", "from x import y as y\n", ["y"]],
  ["rust", "use shop::shop;\n", ["shop"]],
  ["rust", "use shop::{shop, cart::cart as shop_cart};\n", ["shop", "shop_cart"]],
  ["php", "<?php\nuse Shop\\Shop;\n", ["Shop"]],
  ["csharp", "using Shop = Shop.Shop;\n", ["Shop"]],
  ["csharp", "global using Pair = (int First, int Second);\n", ["Pair"]],
  ["java", "import shop.cart.shop;\n", ["shop"]],
])("in %s an import binds a name that the path has, too: %s", async (language, text, names) => {
  expect(await listBound(text, language)).toEqual(names);
});

test("a namespace that is used binds no name, however many end alike", async () => {
  const text = "using A.Models;\nusing B.Models;\nusing static System.Math;\n";
  expect(await listBound(text, "csharp")).toEqual([]);
});

test("an import of Python binds what it lists, whatever the module and the names are called", async () => {
  const name = constantFrom("cart", "shop", "imported", "as_", "Asset", "度量", "importer");
  const item = record({ name, alias: option(name, { nil: undefined }) });
  const items = array(item, { minLength: 1, maxLength: 4 });
  const modules = array(name, { minLength: 1, maxLength: 3 });
  await assert(
    asyncProperty(modules, items, constantFrom(true, false), async (path, list, isBroken) => {
      const listed = list.map((one) =>
        one.alias === undefined ? one.name : `${one.name} as ${one.alias}`,
      );
      const bound = [...new Set(list.map((one) => one.alias ?? one.name))];
      const written = isBroken ? `(\n    ${listed.join(",\n    ")},\n)` : listed.join(", ");
      expect(await listBound(`from ${path.join(".")} import ${written}\n`, "python")).toEqual(
        bound,
      );
    }),
  );
});
