import { expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";

const sources = Object.entries(
  import.meta.glob("/src/**/*.ts", { query: "?raw", import: "default", eager: true }),
);

test("every error that the product makes has its message in both languages", () => {
  expect(sources.length).toBeGreaterThan(100);
  const plain = sources.flatMap(([path, text]) =>
    [...text.matchAll(/new AppError\(\s*"\w+",\s*(["'`]).*/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  );
  expect(plain).toEqual([]);
});

test("a message in one language comes with the sentence of its code in the other", () => {
  const error = new AppError("overloaded", "Come back on Monday.");
  expect(error.messageIn("en")).toBe("Come back on Monday.");
  expect(error.messageIn("zh")).toBe(`${error.sentence("zh")}（Come back on Monday.）`);
  expect(new AppError("overloaded", "星期一再来。").messageIn("zh")).toBe("星期一再来。");
});
