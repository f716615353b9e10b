import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyTextChanges, findTextChanges } from "../../../src/edit/unified-diff.ts";
import { cutToSelection } from "../../../src/doors/plugin/selected-code.ts";

const line = fc.constantFrom("", "a", "  a", "b", "    b", "}", "a b", "é");
const newline = fc.constantFrom("\n", "\r\n");
const body = fc
  .tuple(fc.array(line, { maxLength: 8 }), newline, fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));

function changesOf(before: string, after: string) {
  return findTextChanges(before, after);
}

test("what replaces the selection, and what is told beside it, make the change together", () => {
  fc.assert(
    fc.property(body, body, fc.nat(60), fc.nat(60), (before, after, one, other) => {
      const [start, end] = [one, other].map((at) => at % (before.length + 1)).sort((a, b) => a - b);
      const span = { start: start ?? 0, end: end ?? 0 };
      const changes = changesOf(before, after);
      const { inside, outside } = cutToSelection(before, changes, span);
      expect(applyTextChanges(before, changes)).toBe(after);
      if (inside === undefined) expect(outside).toEqual(changes);
      if (inside !== undefined) {
        const selected = before.slice(0, span.start) + inside + before.slice(span.end);
        const kept = changes.filter((change) => !outside.includes(change));
        expect(selected).toBe(applyTextChanges(before, kept));
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a change of the selected text alone never lies outside", () => {
  fc.assert(
    fc.property(body, body, body, body, (above, selected, becomes, below) => {
      fc.pre(selected !== becomes);
      const [before, after] = [above + selected + below, above + becomes + below];
      const span = { start: above.length, end: above.length + selected.length };
      const changes = changesOf(before, after);
      const { inside, outside } = cutToSelection(before, changes, span);
      const isOneChange = changes.length === 1;
      // Lines that are alike may make a change that reads otherwise.
      if (isOneChange && inside !== undefined) expect(outside).toEqual([]);
      if (isOneChange && inside !== undefined) expect(above + inside + below).toBe(after);
    }),
    { numRuns: 2_000 },
  );
});

describe("a selection", () => {
  const before = "import os\ndef f():\n    return a\nx = 1\n";
  const cut = (selected: string, after: string) => {
    const start = before.indexOf(selected);
    const span = { start, end: start + selected.length };
    return cutToSelection(before, changesOf(before, after), span);
  };

  test("in mid line is replaced without the line's beginning", () => {
    const after = before.replace("    return a", "    b = a\n    return b");
    expect(cut("return a", after)).toEqual({
      inside: "b = a\n    return b",
      outside: [],
      crosses: false,
    });
  });

  test("gets a line that is put behind its last one", () => {
    const after = before.replace("def f():\n", 'def f():\n    """F."""\n');
    expect(cut("def f():", after).inside).toBe('def f():\n    """F."""');
  });

  test("gets a comment that is put above it", () => {
    const after = before.replace("def f", "# F.\ndef f");
    expect(cut("def f():\n    return a", after).inside).toBe("# F.\ndef f():\n    return a");
    const indented = before.replace("    return", "    # A.\n    return");
    expect(cut("return a", indented).inside).toBe("# A.\n    return a");
  });

  test("that goes is replaced by nothing", () => {
    expect(cut("    return a\n", before.replace("    return a\n", "")).inside).toBe("");
    expect(cut("x = 1", before.replace("x = 1", "")).inside).toBe("");
  });

  test("keeps its text where the change lies elsewhere, and a change of both is told apart", () => {
    const elsewhere = cut("return a", before.replace("x = 1", "x = 2"));
    expect(elsewhere.inside).toBeUndefined();
    expect(elsewhere.outside).toEqual([{ startLine: 4, endLine: 4, text: "x = 2\n" }]);
    const both = before
      .replace("import os\n", "import os\nimport re\n")
      .replace("return a", "return re");
    expect(cut("return a", both)).toEqual({
      inside: "return re",
      outside: [{ startLine: 2, endLine: 1, text: "import re\n" }],
      crosses: false,
    });
  });

  test("that a change crosses is not changed in part", () => {
    const after = before.replace("def f():\n    return a\n", "g = lambda: a\n");
    expect(cut("return a", after)).toMatchObject({ inside: undefined, crosses: true });
  });
});
