import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isSurePlaceholder, placeholderOf } from "../../../src/edit/placeholder.ts";
import {
  type ActiveEditor,
  focusOf,
  narrowEditor,
  printActiveEditor,
  printExcerpt,
  printOmission,
  recoverRanges,
  sourceOfEditor,
} from "../../../src/turn/context/active-editor.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

/** A hundred lines of which 50 and 51 are selected. */
const editor: ActiveEditor = {
  filePath: "src/a.ts",
  content: numbered(100),
  selectedRanges: [
    { content: "line 50\nline 51", startLine: 50, startColumn: 1, endLine: 51, endColumn: 8 },
  ],
};

/** The numbers of the lines that were printed, and of those that are marked. */
function printed(text: string): { lines: number[]; marked: number[] } {
  const found = [...text.matchAll(/^([> ]) +(\d+) \|/gm)];
  const numbers = (rows: typeof found): number[] => rows.map((row) => Number(row[2]));
  return { lines: numbers(found), marked: numbers(found.filter((row) => row[1] === ">")) };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

test.each(["\n", "\r\n", "\r"])("lines end with %j and are numbered the same", (end) => {
  const content = ["一", "二", "三", ""].join(end);
  const text = printActiveEditor({
    content,
    selectedRanges: [{ content: `二${end}三`, startLine: 2, endLine: 3, endColumn: 2 }],
  });
  expect(text).toContain("  1 | 一\n> 2 | 二\n> 3 | 三\n```");
  expect(text).not.toContain("\r");
});

test("an empty file and no file render without inventing lines", () => {
  for (const nothing of [
    {},
    { content: "" },
    { content: null, selectedRanges: null, visibleRange: null },
  ]) {
    expect(printed(printActiveEditor(nothing)).lines).toEqual([1]);
    expect(focusOf(nothing)).toEqual({ kind: "file", text: "", startLine: 1, endLine: 1 });
  }
});

test("several selections are all marked, and the excerpt stands around the first that holds text", () => {
  const text = printActiveEditor({
    content: numbered(60),
    selectedRanges: [
      { content: "", startLine: 1, endLine: 1 },
      { content: "line 40", startLine: 40, endLine: 40 },
      { content: "line 45\nline 46", startLine: 45, endLine: 46 },
    ],
  });
  expect(printed(text)).toEqual({ lines: range(20, 60), marked: [40, 45, 46] });
  expect(text).toContain("selected (marked with >): 40:1 to 40:end, 45:1 to 46:end\n");
});

test("a selection that ends in column 1 does not reach into that line", () => {
  const ending: ActiveEditor = {
    content: numbered(9),
    selectedRanges: [
      { content: "line 3\nline 4\n", startLine: 3, startColumn: 1, endLine: 5, endColumn: 1 },
    ],
  };
  expect(printed(printActiveEditor(ending)).marked).toEqual([3, 4]);
  expect(focusOf(ending)).toMatchObject({ startLine: 3, endLine: 4 });
});

const anyLine = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined });

test("whatever lines a range names, no line of the file is lost, and none is meant that it does not have", () => {
  const content = numbered(8);
  const texts = fc.constantFrom("line 3", "line 3\nline 4\n", "line 8\n", "nothing", "line ");
  const anyRange = fc.record({ content: texts, startLine: anyLine, endLine: anyLine });
  fc.assert(
    fc.property(fc.array(anyRange, { maxLength: 2 }), anyRange, (selectedRanges, visibleRange) => {
      const given = { content, selectedRanges, visibleRange };
      let told = 0;
      const mended = recoverRanges(given, (faults) => (told += faults.length));
      expect(sourceOfEditor(mended)).toEqual({ text: content, startLine: 1 });
      let wrong = 0;
      for (const [nth, one] of [...selectedRanges, visibleRange].entries()) {
        const now = mended.selectedRanges?.[nth] ?? mended.visibleRange;
        const { startLine = 0, endLine = startLine } = one;
        // Editors have an empty line behind the last line end.
        const isUsable = startLine > 0 && endLine >= startLine && endLine <= 9;
        if (startLine > 0 && !isUsable) wrong += 1;
        const isOnce = content.split(one.content).length === 2;
        const named = content.indexOf(`line ${startLine}\n`);
        const isThere = named !== -1 && content.startsWith(one.content, named);
        if (isUsable) expect(now).toEqual(one);
        else if (isThere) expect(now?.startLine).toBe(startLine);
        else expect(typeof now?.startLine).toBe(isOnce ? "number" : "object");
      }
      expect(told).toBe(wrong);
    }),
  );
});

const twice = "a();\ngo();\nb();\ngo();\nc();\n";
const selectedGo = (lines: object) => ({ content: "go();", startColumn: 1, ...lines });

test.each([
  ["is named with an end before it", selectedGo({ startLine: 4, endLine: 1 }), [4]],
  ["is named with an end beyond the file", selectedGo({ startLine: 2, endLine: 900 }), [2]],
  ["is not named", selectedGo({}), []],
  ["holds another text", selectedGo({ startLine: 3, endLine: 900 }), []],
  ["is not in the file", selectedGo({ startLine: 900, endLine: 900 }), []],
])("of a text that occurs twice, lines are marked where its line %s", (_, one, marked) => {
  const visibleRange = { content: "go();\nc();", startLine: 70, endLine: 71 };
  const open = recoverRanges({
    filePath: "a.js",
    content: twice,
    selectedRanges: [one],
    visibleRange,
  });
  for (const text of [printActiveEditor(open), printExcerpt(open)]) {
    expect(text).toContain("  1 | a();\n");
    for (const line of marked) expect(text).toContain(`> ${line} | go();\n`);
    expect(printed(text)).toEqual({ lines: [1, 2, 3, 4, 5], marked });
    const own = "\n\nSelected, on lines that are not known:\n```javascript\ngo();\n```";
    expect(text.endsWith(own)).toBe(marked.length === 0);
  }
  expect(focusOf(open).text).toBe("go();");
});

test("what is visible counts only where its lines are known", () => {
  const visibleRange = { content: "go();", startLine: 70, endLine: 71 };
  const file = { kind: "file", text: twice, startLine: 1, endLine: 5 };
  expect(focusOf(recoverRanges({ content: twice, visibleRange }))).toEqual(file);
});

test("the focus is the selection, else what is visible around the cursor, else the file", () => {
  const content = numbered(20);
  const visibleRange = {
    content: "line 5\nline 6",
    startLine: 5,
    startColumn: 1,
    endLine: 6,
    endColumn: 7,
  };
  const selectedRanges = [{ content: "line 9", startLine: 9, endLine: 9 }];
  const at = (line: number): number => content.indexOf(`line ${line}\n`);
  const all = { content, visibleRange, selectedRanges, cursorOffset: at(5) };
  expect(focusOf(all)).toEqual({ kind: "selection", text: "line 9", startLine: 9, endLine: 9 });
  const bare = { ...all, selectedRanges: [{ content: " \n", startLine: 9, endLine: 9 }] };
  const visible = { kind: "visible", text: visibleRange.content, startLine: 5, endLine: 6 };
  expect(focusOf(bare)).toEqual(visible);
  expect(focusOf({ ...bare, cursorOffset: at(6) + 6 })).toEqual(visible);
  expect(focusOf({ ...bare, cursorOffset: null })).toEqual(visible);
  const file = { kind: "file", text: content, startLine: 1, endLine: 20 };
  expect(focusOf({ ...bare, cursorOffset: at(7) })).toEqual(file);
  expect(focusOf({ ...bare, cursorOffset: 0 })).toEqual(file);
  expect(focusOf({ ...bare, visibleRange: { ...visibleRange, content: "\n" } })).toEqual(file);
});

test("a narrowed editor keeps the selection and the lines around it, and says what was cut", () => {
  const narrow = narrowEditor({ ...editor, visibleRange: { content: numbered(100) } }, 1);
  expect(narrow.content).toBe("[48 lines cut]\nline 49\nline 50\nline 51\nline 52\n[48 lines cut]");
  expect(narrow.visibleRange).toBeUndefined();
  expect(narrow.selectedRanges?.[0]?.content).toBe("line 50\nline 51");
  expect(narrow.filePath).toBe("src/a.ts");
  expect(editor.content).toBe(numbered(100));
});

test("one line that was cut is one line, and nothing is said where nothing was", () => {
  const small: ActiveEditor = {
    content: "a\nb\nc\nd",
    selectedRanges: [{ content: "b\nc", startLine: 2, endLine: 3 }],
  };
  expect(narrowEditor(small, 0).content).toBe("[1 line cut]\nb\nc\n[1 line cut]");
  expect(narrowEditor(small, 1).content).toBe("a\nb\nc\nd");
  expect(narrowEditor({ content: "a\nb" }, 1).content).toBe("a\nb");
});

test("the texts before and after a selection are narrowed with it", () => {
  const [selection] = editor.selectedRanges ?? [];
  const wide = {
    ...editor,
    selectedRanges: [
      {
        content: selection?.content ?? "",
        startLine: 50,
        contentBeforeSelection: "a\nb\nc",
        contentAfterSelection: "d\ne\nf",
      },
    ],
  };
  const around = (count: number): unknown => narrowEditor(wide, count).selectedRanges?.[0];
  expect(around(0)).toMatchObject({ contentBeforeSelection: "", contentAfterSelection: "" });
  expect(around(2)).toMatchObject({
    contentBeforeSelection: "b\nc",
    contentAfterSelection: "d\ne",
  });
  expect(around(9)).toMatchObject({
    contentBeforeSelection: "a\nb\nc",
    contentAfterSelection: "d\ne\nf",
  });
});

test("a final line end before a selection counts as no line of its own", () => {
  const selection = { content: "x", startLine: 4, contentBeforeSelection: "a\nb\nc\n" };
  const around = (count: number): unknown =>
    narrowEditor({ selectedRanges: [selection] }, count).selectedRanges?.[0];
  expect(around(1)).toMatchObject({ contentBeforeSelection: "c\n" });
  expect(around(3)).toMatchObject({ contentBeforeSelection: "a\nb\nc\n" });
});

const languages =
  "typescript python ruby sql lua html vue xml markdown css latex clojure go php rust csharp unknown constructor".split(
    " ",
  );

test.each([...languages, ""])("an echo of the note in %s is known as a placeholder", (language) => {
  for (const count of [1, 3, 12_345]) {
    const note = printOmission(count, language);
    expect(isSurePlaceholder(placeholderOf(note))).toBe(true);
    expect(isSurePlaceholder(placeholderOf(`    ${note}`))).toBe(true);
  }
});
