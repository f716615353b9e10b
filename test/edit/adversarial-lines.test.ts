// Inputs made to be slow, second part: lines that alternate, nearly repeat, or look like rules and marks.
import { Worker } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import type { EditResult } from "../../src/edit/edit-unit.ts";
import type * as edit from "../../src/edit.ts";

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
const refused = (code: string) => ({ ok: false, error: { code } });
const rule = (search: string, replace: string) =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;

describe("changes that alternate", () => {
  test.each([
    ["line feeds", "\n"],
    ["carriage returns", "\r\n"],
  ])("with kept lines, 50,000 in a file with %s, are applied", async (_, end) => {
    const lines = numbered(50_000);
    const wanted = lines.map((line, nth) => (nth % 2 === 0 ? `new ${line}` : line));
    const file = lines.join("").replaceAll("\n", end);
    const result = await answer("applyUnits", file, [
      { search: lines.join(""), replace: wanted.join("") },
    ]);
    expect(result).toMatchObject({ ok: true, text: wanted.join("").replaceAll("\n", end) });
  });

  test("with kept lines in 300,000 lines of carriage returns do not throw", async () => {
    const lines = numbered(300_000);
    const wanted = lines.map((line, nth) => (nth % 2 === 0 ? `new ${line}` : line));
    const file = lines.join("").replaceAll("\n", "\r\n");
    const result = await answer("applyUnits", file, [
      { search: lines.join(""), replace: wanted.join("") },
    ]);
    expect(result).toMatchObject({ ok: true, text: wanted.join("").replaceAll("\n", "\r\n") });
  });

  test("in a code edit of 50,000 lines are applied", async () => {
    const lines = numbered(50_000);
    const wanted = lines.map((line, nth) => (nth % 2 === 1 ? `new ${line}` : line));
    const result = await answer(
      "applyCodeEdit",
      lines.join(""),
      `${wanted.join("")}// ... existing code ...\n`,
    );
    expect(result.ok && result.text).toBe(wanted.join(""));
  });

  test("of two lines, 50,000 times, are applied", async () => {
    const file = "a\r\nb\r\n".repeat(25_000);
    const [search, replace] = ["a\nb\n".repeat(25_000), "b\na\n".repeat(25_000)];
    const result = await answer("applyUnits", file, [{ search, replace }]);
    expect(result.ok && result.text).toBe(replace.replaceAll("\n", "\r\n"));
  });
});

describe("lines that nearly repeat", () => {
  /** Comment lines of which any two are similar, and none are equal. */
  function similarLines(count: number, length: number): string[] {
    let state = 7;
    const random = (most: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    };
    return Array.from({ length: count }, () => {
      const letters = Array.from({ length }, (_, nth) => "abcdefghij"[nth % 10]);
      return `// ${letters.map((letter) => (random(5) === 0 ? "wxyz"[random(4)] : letter)).join("")}\n`;
    });
  }

  test.each([
    [60, 600],
    [400, 3000],
  ])("%i similar comment lines around a line of %i are told apart or refused", async (size, all) => {
    const lines = similarLines(all + size, 300);
    const file = lines.slice(0, all).with(all / 2, "anchor();\n");
    const search = lines.slice(all).with(size / 2, "anchor();\n");
    const result = await answer("applyUnits", file.join(""), [
      { search: search.join(""), replace: "x\n" },
    ]);
    expect(result).toMatchObject({ ok: false });
  });

  test("a SEARCH of 50,000 lines, each of which stands in sixty places, stands nowhere", async () => {
    const file = Array.from({ length: 100_000 }, (_, nth) => `line ${nth % 1600}\n`);
    const search = Array.from({ length: 50_000 }, (_, nth) => `line ${(nth * 7919) % 1600}\n`);
    const result = await answer("applyUnits", file.join(""), [
      { search: search.join(""), replace: "x\n" },
    ]);
    expect(result).toMatchObject(refused("no-match"));
  });

  test("a SEARCH cut at both ends in lines that repeat in pairs is ambiguous", async () => {
    const file = "alpha beta\ngamma delta\n".repeat(50_000);
    const result = await answer("applyUnits", file, [
      {
        search: `beta\n${"gamma delta\nalpha beta\n".repeat(20_000)}gam\n`,
        replace: `beta\n${"gamma delta\nnew line\n".repeat(20_000)}gam\n`,
      },
    ]);
    expect(result).toMatchObject(refused("ambiguous"));
  });
});

describe("marks of text left out", () => {
  test("a thousand between lines that stand everywhere are refused", async () => {
    const text = "}\n// ...\n".repeat(1000);
    const result = await answer("applyUnits", "}\n".repeat(50_000), [
      { search: text, replace: text.replace("}", "x") },
    ]);
    expect(result).toMatchObject({ ok: false });
  });

  test("a thousand between lines that stand once are applied", async () => {
    const lines = numbered(50_000);
    const shown = lines.filter((_, nth) => nth % 50 === 0).join("// ...\n");
    const result = await answer("applyUnits", lines.join(""), [
      { search: shown, replace: shown.replaceAll("line", "new") },
    ]);
    expect(result.ok && result.text.split("\n").slice(49, 52)).toEqual([
      "line 49",
      "new 50",
      "line 51",
    ]);
  });

  test("one that stands for 200,000 lines of SEARCH is filled", async () => {
    const lines = numbered(200_000);
    const result = await answer("applyUnits", lines.join(""), [
      { search: lines.join(""), replace: `${lines[0]}// ... existing code ...\nnew\n`.replace("new\n", `${lines.at(-1)}new\n`) },
    ]);
    expect(result.ok && result.text).toBe(`${lines.join("")}new\n`);
  });

  test("a thousand segments of a code edit are applied", async () => {
    const lines = numbered(50_000);
    const shown = lines
      .filter((_, nth) => nth % 50 === 0)
      .map((line, nth) => `${line}new ${nth}\n`);
    const result = await answer(
      "applyCodeEdit",
      lines.join(""),
      `// ... existing code ...\n${shown.join("// ... existing code ...\n")}// ... existing code ...\n`,
    );
    expect(result.ok && result.text.split("\n").length).toBe(51_001);
  });

  test("a thousand segments of a code edit that stand everywhere are refused", async () => {
    const mark = "// ... existing code ...\n";
    const result = await answer(
      "applyCodeEdit",
      "}\n".repeat(100_000),
      `${mark}${`}\nx\n${mark}`.repeat(1000)}`,
    );
    expect(result).toMatchObject(refused("ambiguous"));
  });
});

describe("lines that look like rules", () => {
  test("5,000 separators in one unit are refused", async () => {
    const result = await answer("applyDiff", "a\n", rule("=======\n".repeat(5000), ""));
    expect(result).toMatchObject(refused("malformed"));
  });

  test("5,000 separators inside longer rules are text", async () => {
    const text = "=======\n".repeat(5000);
    const diff = `--------- SEARCH\n${text}=========\nx\n+++++++++ REPLACE\n`;
    expect(await answer("applyDiff", text, diff)).toMatchObject({ ok: true, text: "x\n" });
  });

  test("5,000 units that begin inside each other are refused", async () => {
    const diff = `${"------- SEARCH\na\n=======\n".repeat(5000)}${"+++++++ REPLACE\n".repeat(5000)}`;
    expect(await answer("applyDiff", "a\n", diff)).toMatchObject({ ok: false });
  });

  test("5,000 units inside a unit with longer rules are text", async () => {
    const text = rule("a\n", "b\n").repeat(5000);
    const diff = `-------- SEARCH\na\n========\n${text}++++++++ REPLACE\n`;
    expect(await answer("applyDiff", "a\n", diff)).toMatchObject({ ok: true, text });
  });

  test("a rule with 100,000 blanks and a letter after it is no rule", async () => {
    const diff = rule("a\n", "b\n").replace("SEARCH", `SEARCH${" ".repeat(100_000)}x`);
    expect(await answer("applyDiff", "a\n", diff)).toMatchObject({ ok: false });
  });
});
