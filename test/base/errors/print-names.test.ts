import { expect, test } from "vitest";
import { cutName, listNames, quoteName, suggestName } from "../../../src/base/errors/names.ts";

test("a short name is printed as it is, a long one is cut, and neither breaks a line", () => {
  expect(quoteName('fix"x')).toBe('"fix\\"x"');
  expect(quoteName("a\r\nb")).toBe('"a\\r\\nb"');
  expect(cutName("n".repeat(100))).toBe("n".repeat(100));
  expect(cutName("n".repeat(1_000_000))).toBe(`${"n".repeat(100)}…`);
  // A character of two units is not cut in halves.
  expect(cutName(`${"n".repeat(99)}😀😀`)).toBe(`${"n".repeat(99)}…`);
});

test("a list is printed in full up to twenty names, then with how many are left", () => {
  const names = Array.from({ length: 25 }, (_, nth) => `c${nth}`);
  expect(listNames([])).toBe("");
  expect(listNames(names.slice(0, 20))).toBe(names.slice(0, 20).join(", "));
  expect(listNames(names)).toBe(`${names.slice(0, 20).join(", ")} and 5 more`);
});

test("very many and very long names cost no more than some short ones, and a near one is found", () => {
  let compared = 0;
  const known = new Proxy(
    ["explain", ...Array.from({ length: 300_000 }, (_, nth) => `command-${nth}`)],
    {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) compared++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  expect(suggestName("explian", known)).toBe("explain");
  expect(compared).toBeLessThanOrEqual(1_000);
  expect(suggestName("x".repeat(1_000_000), ["x".repeat(1_000_001)])).toBeUndefined();
  expect(suggestName("fixx", ["x".repeat(1_000_000), "fix"])).toBe("fix");
});
