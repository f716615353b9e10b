import { expect, test } from "vitest";
import { parsePath } from "../../../src/workspace/paths/resolve-written.ts";

const onWindows = { roots: ["C:/code/app"], isWindows: true };
const elsewhere = { roots: ["/code/app"], isWindows: false };

test.each([
  ["src\\a.ts", "src/a.ts"],
  ["C:\\code\\app\\src\\a.ts", "src/a.ts"],
  ["c:/CODE/App/src/a.ts", "src/a.ts"],
  ["C:\\code\\app", ""],
  ["console.ts", "console.ts"],
  ["com.ts", "com.ts"],
])("on Windows %j is %j", (written, path) => {
  expect(parsePath(written, onWindows)).toEqual({ ok: true, value: path });
});

test.each([
  ..."CON con.txt src/NUL src/aux.c prn.tar.gz COM1 lpt9.log com¹ CONIN$".split(" "),
  "nul .txt",
  "src/con/a.ts",
  "C:\\code\\app\\nul",
  "C:\\code\\application\\a.ts",
  "D:\\code\\app\\a",
])("on Windows %j is refused", (written) => {
  expect(parsePath(written, onWindows).ok).toBe(false);
});

test.each(["con", "nul.txt", "src/aux.c", "com1", "lpt9.log"])(
  "elsewhere %j is a name",
  (written) => {
    expect(parsePath(written, elsewhere)).toEqual({ ok: true, value: written });
  },
);

test.each([
  "/code/app2/a.ts",
  "/code/app/../a.ts",
  "/code/app/../app/a.ts",
  "/WORK/app/a.ts",
  "/code",
])("%j is outside of the root", (written) => {
  expect(parsePath(written, elsewhere).ok).toBe(false);
});
