// Inputs made to be slow. What takes too long is stopped from outside: nothing in here is timed.
import { Worker } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import type * as edit from "../../src/edit.ts";
import type { EditResult, EditUnit } from "../../src/edit/edit-unit.ts";

type Apply = {
  [Name in keyof typeof edit]: (typeof edit)[Name] extends (...input: never[]) => EditResult
    ? Name
    : never;
}[keyof typeof edit];

const module = new URL("../../src/edit.ts", import.meta.url).href;
const program = `
  const { parentPort, workerData: [module, name, input] } = require("node:worker_threads");
  import(module).then((edit) => parentPort.postMessage(edit[name](...input)));
`;
vi.setConfig({ testTimeout: 60_000 });
const patience = 20_000;

/** What an apply function answers; it is called in a thread of its own, which can be stopped. */
async function answer<Name extends Apply>(
  name: Name,
  ...input: Parameters<(typeof edit)[Name]>
): Promise<EditResult> {
  const worker = new Worker(program, { eval: true, workerData: [module, name, input] });
  const { promise, resolve, reject } = Promise.withResolvers<EditResult>();
  const timer = setTimeout(() => reject(new Error(`${name} did not come to an end`)), patience);
  worker.once("message", resolve).once("error", reject);
  return promise.finally(async () => {
    clearTimeout(timer);
    await worker.terminate();
  });
}

const numbered = (count: number, name = "line") =>
  Array.from({ length: count }, (_, nth) => `${name} ${nth}\n`);
const unit = (search: string, replace: string): EditUnit => ({ search, replace });
const refused = (code: string) => ({ ok: false, error: { code } });

describe("100,000 equal lines", () => {
  const file = "same();\n".repeat(100_000);

  test("one of them is ambiguous", async () => {
    const result = await answer("applyUnits", file, [unit("same();\n", "x\n")]);
    expect(result).toMatchObject(refused("ambiguous"));
  });

  test("50,000 of them are ambiguous", async () => {
    const half = "same();\n".repeat(50_000);
    expect(await answer("applyUnits", file, [unit(half, "x\n")])).toMatchObject(refused("ambiguous"));
  });

  test("50,000 of them, indented otherwise, are ambiguous", async () => {
    const half = "  same();\n".repeat(50_000);
    expect(await answer("applyUnits", file, [unit(half, "x\n")])).toMatchObject(refused("ambiguous"));
  });

  test("all of them are one place", async () => {
    const result = await answer("applyUnits", file, [unit(file, "x\n")]);
    expect(result).toMatchObject({ ok: true, text: "x\n" });
  });

  test.each([
    ["begins", (half: string) => `other();\n${half}`],
    ["ends", (half: string) => `${half}other();\n`],
    ["goes on", (half: string) => `${half}other();\n${half}`],
  ])("a SEARCH of many that %s otherwise stands nowhere", async (_, toSearch) => {
    const search = toSearch("same();\n".repeat(40_000));
    expect(await answer("applyUnits", file, [unit(search, "x\n")])).toMatchObject(refused("no-match"));
  });

  test("a SEARCH of many that is cut at both ends is ambiguous or nowhere", async () => {
    const search = `e();\n${"same();\n".repeat(40_000)}sa\n`;
    const result = await answer("applyUnits", file, [unit(search, search.replace("e()", "f()"))]);
    expect(result.ok).toBe(false);
  });
});

test("a SEARCH of more than 100,000 lines that stands in one place is found there", async () => {
  const lines = numbered(100_001);
  const result = await answer("applyUnits", lines.join("").replaceAll("\n", "\r\n"), [
    unit(lines.join(""), lines.with(500, "x\n").join("")),
  ]);
  expect(result).toMatchObject({ ok: true, units: [{ startLine: 1, endLine: 100_001 }] });
});

describe("one line of 10 MB", () => {
  const long = `${"ab ".repeat(3_333_333)}end`;

  test("is found", async () => {
    const result = await answer("applyUnits", `${long}\nnext\n`, [unit(`${long}\n`, "x\n")]);
    expect(result).toMatchObject({ ok: true, text: "x\nnext\n" });
  });

  test("is found with another indentation", async () => {
    const result = await answer("applyUnits", `  ${long}\nnext\n`, [unit(`${long}\n`, "x\n")]);
    expect(result).toMatchObject({ ok: true, text: "  x\nnext\n" });
  });

  test.each([
    ["at its end", `${long}x\n`],
    ["at its start", `x${long}\n`],
    ["in its middle", `${long.slice(0, 5_000_000)}x${long.slice(5_000_000)}\n`],
    ["by its length", `${"ab ".repeat(1_000_000)}bb\n`],
  ])("is not found when SEARCH differs %s", async (_, search) => {
    const result = await answer("applyUnits", `${long}\nnext\n`, [unit(search, `x${search}`)]);
    expect(result).toMatchObject(refused("no-match"));
  });

  test("of one letter is not found by a SEARCH of that letter but for one", async () => {
    const half = "a".repeat(500_000);
    const result = await answer("applyUnits", `${"a".repeat(10_000_000)}\n`, [
      unit(`${half}b${half}\n`, `b${half}\n`),
    ]);
    expect(result).toMatchObject(refused("no-match"));
  });
});

describe("10,000 units", () => {
  const lines = numbered(20_000);

  test("over 20,000 lines are applied", async () => {
    const units = Array.from({ length: 10_000 }, (_, nth) =>
      unit(lines[2 * nth] ?? "", `new ${nth}\n`),
    );
    const result = await answer("applyUnits", lines.join(""), units.toReversed());
    expect(result.ok && result.text.split("\n").slice(0, 4)).toEqual([
      "new 0",
      "line 1",
      "new 1",
      "line 3",
    ]);
  });

  test("that are all the same overlap", async () => {
    const units = Array.from({ length: 10_000 }, () => unit("line 7\n", "x\n"));
    const result = await answer("applyUnits", lines.join(""), units);
    expect(result).toMatchObject(refused("overlap"));
  });

  test("that are all the same, over lines that look the same, are refused", async () => {
    const units = Array.from({ length: 10_000 }, () => unit("same\n", "x\n"));
    const result = await answer("applyUnits", `${"  same\n".repeat(20_000)}same\n`, units);
    expect(result.ok).toBe(false);
  });

  test("that are all the same elision are refused", async () => {
    const units = Array.from({ length: 10_000 }, () =>
      unit("line 7\n// ...\nline 19990\n", "x\n// ...\ny\n"),
    );
    expect((await answer("applyUnits", lines.join(""), units)).ok).toBe(false);
  });

  test("that all stand nowhere are refused", async () => {
    const units = Array.from({ length: 10_000 }, (_, nth) => unit(`lane ${nth}\n`, "x\n"));
    const result = await answer("applyUnits", lines.join(""), units);
    expect(result).toMatchObject(refused("no-match"));
  });

  test("of line edits are applied", async () => {
    const edits = Array.from({ length: 10_000 }, (_, nth) => ({
      start_line: 20_000 - 2 * nth,
      end_line: 20_000 - 2 * nth,
      replacement: "x",
    }));
    const result = await answer("applyLineEdits", lines.join(""), edits);
    expect(result.ok && result.text.startsWith("line 0\nx\nline 2\nx\n")).toBe(true);
  });
});
