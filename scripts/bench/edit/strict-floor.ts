// The least that an edit can cost: a reader that knows nothing but the specified form, and `indexOf`.

/**
 * Applies units that are written as specified, each of which is in the file exactly once, byte by byte.
 *
 * @throws Error for everything else
 */
export function applyStrictly(before: string, diff: string): string {
  const text = `\n${before}`;
  const places = readStrictly(diff).map(({ search, replace }) => {
    const at = text.indexOf(`\n${search}`);
    if (at === -1) throw new Error("not found");
    if (text.includes(`\n${search}`, at + 1)) throw new Error("ambiguous");
    return { start: at, end: at + search.length, replace };
  });
  let after = "";
  let from = 0;
  for (const { start, end, replace } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < from) throw new Error("overlap");
    after += before.slice(from, start) + replace;
    from = end;
  }
  return after + before.slice(from);
}

function readStrictly(diff: string): { search: string; replace: string }[] {
  const units = [];
  const rules = [/-{7,} SEARCH\n/y, /={7,}\n/y, /\+{7,} REPLACE\n/y];
  for (let at = 0; at < diff.length;) {
    const parts = rules.map((rule) => {
      for (let start = at; start < diff.length; start = diff.indexOf("\n", start) + 1 || Infinity) {
        rule.lastIndex = start;
        if (!rule.test(diff)) continue;
        const part = diff.slice(at, start);
        at = rule.lastIndex;
        return part;
      }
      throw new Error("no unit, or one that is cut off");
    });
    const [outside = "", search = "", replace = ""] = parts;
    if (outside.trim() !== "") throw new Error("text outside of a unit");
    units.push({ search, replace });
  }
  return units;
}
