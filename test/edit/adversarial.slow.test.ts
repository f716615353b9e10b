// Inputs made to be slow. What takes far too long is killed from outside; nothing in here is timed.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import type * as edit from "../../src/edit.ts";
import type { EditResult } from "../../src/edit/edit-unit.ts";

type Apply = {
  [Name in keyof typeof edit]: (typeof edit)[Name] extends (...input: never[]) => EditResult
    ? Name
    : never;
}[keyof typeof edit];

const program = `
  import { text } from "node:stream/consumers";
  import * as edit from ${JSON.stringify(new URL("../../src/edit.ts", import.meta.url).href)};
  const [name, input] = JSON.parse(await text(process.stdin));
  process.stdout.write(JSON.stringify(edit[name](...input)));
`;
const options = { timeout: 20_000, killSignal: "SIGKILL", maxBuffer: 2 ** 30 } as const;
vi.setConfig({ testTimeout: 60_000 });

/** What an apply function answers. A process of its own can be killed whatever it is doing. */
async function answer<Name extends Apply>(
  name: Name,
  ...input: Parameters<(typeof edit)[Name]>
): Promise<EditResult> {
  const args = ["--input-type=module", "--eval", program];
  const running = promisify(execFile)(process.execPath, args, options);
  // A process that is killed no longer reads: what then is reported is its end.
  running.child.stdin?.on("error", () => undefined).end(JSON.stringify([name, input]));
  return JSON.parse((await running).stdout) as EditResult;
}

/** The text, or the code of the refusal. */
async function apply(...input: Parameters<typeof edit.applyUnits>): Promise<string> {
  const result = await answer("applyUnits", ...input);
  return result.ok ? result.text : result.error.code;
}

const numbered = (count: number) => Array.from({ length: count }, (_, nth) => `line ${nth}\n`);
const toCrlf = (text: string) => text.replaceAll("\n", "\r\n");
const unit = (search: string, replace: string) => ({ search, replace });

describe("100,000 equal lines", () => {
  const file = "same();\n".repeat(100_000);
  const half = "same();\n".repeat(50_000);

  test.each([
    ["one of them is", "same();\n"],
    ["50,000 of them are", half],
    ["50,000 of them, indented otherwise, are", half.replaceAll("same", "  same")],
  ])("%s ambiguous", async (_, search) => {
    expect(await apply(file, [unit(search, "x\n")])).toBe("ambiguous");
  });

  test("the places of 50,000 of them begin and end where they stand", async () => {
    const result = await answer("applyUnits", toCrlf(file), [unit(half, "x\n")]);
    expect(!result.ok && result.error.candidates?.slice(0, 2)).toEqual([
      { startLine: 1, endLine: 50_000 },
      { startLine: 2, endLine: 50_001 },
    ]);
  });

  test("all of them are one place", async () => {
    expect(await apply(file, [unit(file, "x\n")])).toBe("x\n");
  });

  test.each([
    ["begins", `other();\n${half}`],
    ["ends", `${half}other();\n`],
    ["goes on", `${half}other();\n${half}`],
  ])("a SEARCH of many that %s otherwise stands nowhere", async (_, search) => {
    expect(await apply(file, [unit(search, "x\n")])).toBe("no-match");
  });

  test("a SEARCH of many that is cut at both ends is ambiguous", async () => {
    const search = `();\n${half}same\n`;
    expect(await apply(file, [unit(search, search.replace("()", "(1)"))])).toBe("ambiguous");
  });
});

describe("one line of 10 MB", () => {
  const long = `${"ab ".repeat(3_333_333)}end`;

  test("is found", async () => {
    expect(await apply(`${long}\nnext\n`, [unit(`${long}\n`, "x\n")])).toBe("x\nnext\n");
  });

  test("is found with another indentation", async () => {
    expect(await apply(`  ${long}\nnext\n`, [unit(`${long}\n`, "x\n")])).toBe("  x\nnext\n");
  });

  test.each([
    ["at its end", `${long}x\n`],
    ["at its start", `x${long}\n`],
    ["in its middle", `${long.slice(0, 5_000_000)}x${long.slice(5_000_000)}\n`],
    ["by its length", `${"ab ".repeat(1_000_000)}bb\n`],
  ])("is not found when SEARCH differs %s", async (_, search) => {
    expect(await apply(`${long}\nnext\n`, [unit(search, "x\n")])).toBe("no-match");
  });

  test("of one letter is not found by a SEARCH of that letter but for one", async () => {
    const half = "a".repeat(500_000);
    const search = `${half}b${half}\n`;
    expect(await apply(`${"a".repeat(10_000_000)}\n`, [unit(search, "x\n")])).toBe("no-match");
  });
});

describe("10,000 units", () => {
  const lines = numbered(20_000);
  const file = lines.join("");
  const units = (toUnit: (nth: number) => { search: string; replace: string }) =>
    Array.from({ length: 10_000 }, (_, nth) => toUnit(nth));

  test("over 20,000 lines are applied", async () => {
    const all = units((nth) => unit(lines[2 * nth] ?? "", `new ${2 * nth}\n`));
    const wanted = lines.map((line, nth) => (nth % 2 === 0 ? line.replace("line", "new") : line));
    expect((await apply(file, all.toReversed())) === wanted.join("")).toBe(true);
  });

  test("that are all the same count once", async () => {
    const all = units(() => unit("line 7\n", "x\n"));
    expect((await apply(file, all)) === file.replace("line 7\n", "x\n")).toBe(true);
  });

  test("that change one line in as many ways overlap", async () => {
    const all = units((nth) => unit("line 7\n", `x ${nth}\n`));
    expect(await apply(file, all)).toBe("overlap");
  });

  test("that change one line, in a file of lines that look the same, overlap", async () => {
    const all = units((nth) => unit("same\n", `x ${nth}\n`));
    expect(await apply(`${"  same\n".repeat(20_000)}same\n`, all)).toBe("overlap");
  });

  test("that change one line with marks of text left out overlap", async () => {
    const all = units((nth) => unit("line 7\n// ...\nline 19990\n", `x ${nth}\n// ...\ny\n`));
    expect(await apply(file, all)).toBe("overlap");
  });

  test("of which each quotes what the one before wrote are refused, all but a few", async () => {
    const all = units((nth) => unit(nth === 0 ? "line 7\n" : `x ${nth - 1}\n`, `x ${nth}\n`));
    expect(await apply(file, all)).toBe("no-match");
    expect(await apply(file, all.slice(0, 11))).toBe(file.replace("line 7\n", "x 10\n"));
  });

  test("that all stand nowhere are refused", async () => {
    const all = units((nth) => unit(`lane ${nth}\n`, "x\n"));
    expect(await apply(file, all)).toBe("no-match");
  });

  test("that are line edits are applied", async () => {
    const all = units((nth) => unit("", `${nth}`)).map(({ replace }, nth) => {
      const line = 20_000 - 2 * nth;
      return { start_line: line, end_line: line, replacement: replace };
    });
    const result = await answer("applyLineEdits", file, all);
    expect(result.ok && result.text.startsWith("line 0\n9999\nline 2\n9998\n")).toBe(true);
  });
});

describe("changes that alternate with kept lines", () => {
  test.each([
    [50_000, "line feeds", (text: string) => text],
    [50_000, "carriage returns", toCrlf],
    [300_000, "line feeds", (text: string) => text],
    [300_000, "carriage returns", toCrlf],
  ])("in %i lines with %s are applied", async (count, _, toFile) => {
    const lines = numbered(count);
    const wanted = lines.map((line, nth) => (nth % 2 === 0 ? `new ${line}` : line)).join("");
    const after = await apply(toFile(lines.join("")), [unit(lines.join(""), wanted)]);
    expect(after === toFile(wanted)).toBe(true);
  });

  test("in a code edit of 50,000 lines are applied", async () => {
    const lines = numbered(50_000);
    const wanted = lines
      .map((line, nth) => (nth % 2 === 1 && nth < 49_999 ? `new ${line}` : line))
      .join("");
    const edit = `${wanted}// ... existing code ...\n`;
    const result = await answer("applyCodeEdit", lines.join(""), edit);
    expect(result.ok && result.text === wanted).toBe(true);
  });

  test("of two lines, 50,000 times, are applied", async () => {
    const [search, replace] = ["a\nb\n".repeat(25_000), "b\na\n".repeat(25_000)];
    expect((await apply(toCrlf(search), [unit(search, replace)])) === toCrlf(replace)).toBe(true);
  });
});

describe("lines that nearly repeat", () => {
  /** Comment lines of which any two are similar, and no two are equal. */
  function similarLines(count: number): string[] {
    let state = 7;
    const random = (most: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    };
    return Array.from({ length: count }, () => {
      const letters = "abcdefghij".repeat(30).split("");
      return `// ${letters.map((letter) => (random(5) === 0 ? "wxyz"[random(4)] : letter)).join("")}\n`;
    });
  }

  test.each([
    [60, 600],
    [400, 3000],
  ])("%i similar comment lines in a file of %i are found nowhere", async (size, all) => {
    const lines = similarLines(all + size);
    const file = lines
      .slice(0, all)
      .with(all / 2, "anchor();\n")
      .join("");
    const search = lines
      .slice(all)
      .with(size / 2, "anchor();\n")
      .join("");
    expect(await apply(file, [unit(search, "x\n")])).toBe("no-match");
  });

  test("a SEARCH of 50,000 lines, each of which stands in sixty places, stands nowhere", async () => {
    const file = Array.from({ length: 100_000 }, (_, nth) => `line ${nth % 1600}\n`).join("");
    const search = Array.from({ length: 50_000 }, (_, nth) => `line ${(nth * 7919) % 1600}\n`);
    expect(await apply(file, [unit(search.join(""), "x\n")])).toBe("no-match");
  });

  test("a SEARCH cut at both ends in lines that repeat in pairs is ambiguous", async () => {
    const search = `beta\n${"gamma delta\nalpha beta\n".repeat(20_000)}gamma\n`;
    const file = "alpha beta\ngamma delta\n".repeat(50_000);
    expect(await apply(file, [unit(search, search.replaceAll("alpha", "new"))])).toBe("ambiguous");
  });
});

describe("marks of text left out", () => {
  const mark = "// ... existing code ...\n";

  test("a thousand between lines that stand everywhere are ambiguous", async () => {
    const text = `}\n${mark}`.repeat(1000);
    const edit = unit(text, text.replace("}", "x"));
    expect(await apply("}\n".repeat(50_000), [edit])).toBe("ambiguous");
  });

  test("a thousand between lines that stand once are applied", async () => {
    const lines = numbered(50_000);
    const shown = lines.filter((_, nth) => nth % 50 === 0).join(mark);
    const wanted = lines.map((line, nth) => (nth % 50 === 0 ? line.replace("line", "new") : line));
    const after = await apply(lines.join(""), [unit(shown, shown.replaceAll("line", "new"))]);
    expect(after === wanted.join("")).toBe(true);
  });

  test("one that stands for 200,000 lines of SEARCH is filled", async () => {
    const lines = numbered(200_000);
    const file = lines.join("");
    const replace = `${lines[0]}${mark}${lines.at(-1)}new\n`;
    expect((await apply(file, [unit(file, replace)])) === `${file}new\n`).toBe(true);
  });

  test("a thousand segments of a code edit are applied", async () => {
    const lines = numbered(50_000);
    const shown = lines.filter((_, nth) => nth % 50 === 0).map((line) => `${line}added();\n`);
    const wanted = lines.map((line, nth) => (nth % 50 === 0 ? `${line}added();\n` : line));
    const edit = mark + shown.join(mark) + mark;
    const result = await answer("applyCodeEdit", lines.join(""), edit);
    expect(result.ok && result.text === wanted.join("")).toBe(true);
  });

  test("a thousand segments of a code edit that stand everywhere are refused", async () => {
    const edit = mark + `}\nx\n${mark}`.repeat(1000);
    const result = await answer("applyCodeEdit", "}\n".repeat(100_000), edit);
    expect(result).toMatchObject({ ok: false, error: {} });
  });
});

describe("lines that look like rules", () => {
  const one = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n";

  test.each([
    ["5,000 separators in one unit", one.replace("a\n", "=======\n".repeat(5000))],
    ["5,000 SEARCH rules in one unit", one.replace(/.*\n/, (rule) => rule.repeat(5000))],
    ["a rule with 100,000 blanks and a letter", one.replace("SEARCH", `SEARCH${" ".repeat(1e5)}x`)],
  ])("%s are refused", async (_, diff) => {
    const result = await answer("applyDiff", "a\n", diff);
    expect(result).toMatchObject({ ok: false, error: { code: "malformed" } });
  });

  test.each([
    ["5,000 separators", "=======\n".repeat(5000)],
    ["5,000 units", one.repeat(5000)],
  ])("%s inside a unit with longer rules are text", async (_, text) => {
    const diff = `-------- SEARCH\na\n========\n${text}++++++++ REPLACE\n`;
    const result = await answer("applyDiff", "a\n", diff);
    expect(result.ok && result.text === text).toBe(true);
  });
});
