import { describe, expect, test } from "vitest";
import { isAmongTests, isTestPath, rankTestPath } from "../../../src/flows/test/test-subject.ts";

describe("a test file is the code's own", () => {
  test.each([
    ["src/orders/index.ts", "src/orders/index.test.ts"],
    ["src/orders/index.ts", "src/orders/__tests__/index.test.ts"],
    ["src/orders/index.ts", "test/orders/index.test.ts"],
    ["src/index.ts", "test/index.test.ts"],
    ["packages/a/src/utils.ts", "packages/a/test/utils.test.ts"],
    ["src/main/java/shop/Main.java", "src/test/java/shop/MainTest.java"],
    ["/home/me/shop/src/orders/index.ts", "src/orders/index.test.ts"],
    ["/home/me/shop/src/orders/index.ts", "test/orders/index.test.ts"],
    ["C:\\shop\\src\\orders\\index.ts", "src\\orders\\index.test.ts"],
    ["src\\orders\\index.ts", "test/orders/index.test.ts"],
    ["src/shop/cart.ts", "test/cart.test.ts"],
    ["src/shop/cart.ts", "test/unit/cart.test.ts"],
    ["shop/cart.py", "tests/test_cart.py"],
    ["app/models/cart.rb", "spec/models/cart_spec.rb"],
  ])("%s: %s", (code, path) => {
    expect(rankTestPath(path, code, "")).toBeGreaterThan(0);
  });

  test("where the convention of the framework puts it, whatever its name", () => {
    expect(rankTestPath("checks/test_utils.py", "src/a/utils.py", "checks/test_utils.py")).toBe(4);
  });
});

describe("a test file is that of something else", () => {
  test.each([
    ["src/orders/index.ts", "src/users/index.test.ts"],
    ["src/orders/index.ts", "src/index.test.ts"],
    ["src/orders/index.ts", "test/users/index.test.ts"],
    ["src/orders/index.ts", "test/index.test.ts"],
    ["/home/me/shop/src/orders/index.ts", "test/index.test.ts"],
    ["src\\orders\\utils.ts", "src\\users\\utils.test.ts"],
    ["packages/a/src/main.ts", "packages/b/test/main.test.ts"],
    ["src/orders/mod.rs", "src/users/mod_test.rs"],
    ["src/lib/cart.ts", "src/app/cart.test.ts"],
    ["src/orders/cart.ts", "test/users/cart.test.ts"],
    ["src/cart.ts", "src/order.test.ts"],
  ])("%s: %s", (code, path) => {
    expect(rankTestPath(path, code, "")).toBe(0);
  });
});

test("the file by the convention comes first, then the same folder, then one that mirrors, then one near", () => {
  const paths = [
    "tests/cart.test.ts",
    "src/shop/cart.test.ts",
    "test/shop/cart.test.ts",
    "spec/unit/cart.spec.ts",
  ];
  const ranks = paths.map((path) => rankTestPath(path, "src/shop/cart.ts", "tests/cart.test.ts"));
  expect(ranks).toEqual([4, 3, 2, 1]);
});

test.each([
  ["src/cart.test.ts", true],
  ["test_cart.py", true],
  ["CartSpec.scala", true],
  ["tests\\cart.rs", false],
  ["TestCart.java", false],
  ["CartIT.java", false],
  ["docs/unit-test-guide.md", false],
])("%s is among tests, and by its name a test of one file: %s", (path, isOne) => {
  expect([isAmongTests(path), isTestPath(path)]).toEqual([true, isOne]);
});

test.each(["src/latest.ts", "src/contest/cart.ts", "Testament.md", "src/inspect.ts", ""])(
  "%j is not among tests",
  (path) => {
    expect(isAmongTests(path)).toBe(false);
  },
);
