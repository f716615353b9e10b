// The least that an edit can cost: a reader that knows nothing but the specified form, and `indexOf`.

interface StrictUnit {
  search: string[];
  replace: string[];
}

/**
 * Applies units that are written as specified and stand in the file byte by byte, each exactly once.
 *
 * @throws Error for everything else
 */
export function applyStrictly(before: string, diff: string): string {
  const text = `\n${before}`;
  const places = readStrictly(diff).map(({ search, replace }) => {
    const wanted = `\n${search.join("\n")}\n`;
    const at = text.indexOf(wanted);
    if (at === -1) throw new Error("not found");
    if (text.includes(wanted, at + 1)) throw new Error("ambiguous");
    return {
      start: at,
      end: at + wanted.length - 1,
      lines: replace.map((line) => `${line}\n`).join(""),
    };
  });
  let after = "";
  let from = 0;
  for (const { start, end, lines } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < from) throw new Error("overlap");
    after += before.slice(from, start) + lines;
    from = end;
  }
  return after + before.slice(from);
}

function readStrictly(diff: string): StrictUnit[] {
  const units: StrictUnit[] = [];
  let open: StrictUnit | undefined;
  let lines: string[] | undefined;
  for (const line of diff.split(/\r?\n/)) {
    if (/^-{7,} SEARCH$/.test(line)) {
      if (open !== undefined) throw new Error("unexpected rule");
      open = { search: [], replace: [] };
      lines = open.search;
    } else if (/^={7,}$/.test(line)) {
      if (open === undefined || lines !== open.search) throw new Error("unexpected rule");
      lines = open.replace;
    } else if (/^\+{7,} REPLACE$/.test(line)) {
      if (open === undefined || lines !== open.replace) throw new Error("unexpected rule");
      units.push(open);
      open = undefined;
      lines = undefined;
    } else if (lines !== undefined) lines.push(line);
    else if (line.trim() !== "") throw new Error("text outside of a unit");
  }
  if (open !== undefined || units.length === 0) throw new Error("no unit, or one that is cut off");
  return units;
}
