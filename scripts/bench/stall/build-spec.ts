/**
 * What a row of attacks.jsonl says of a text, a list or a value; any JSON stands for itself. `${n}`, `${n+1}`,
 * `${k%60}` in texts, and `#n` as a whole text, are numbers: n counts the outer repetition, k the one inside it.
 */
export type Spec = unknown;

/** An object with one of these names is replaced by what it describes. */
interface Described {
  /** A spec that was given this name. */
  use?: string;
  /** Texts, one behind the other. */
  text?: Spec[];
  /** So many texts, list items, or entries of an object; `n`: as many as the outer repetition has counted. */
  repeat?: Spec;
  list?: Spec;
  entries?: [name: Spec, value: Spec];
  times: number | "n";
  join?: string;
  /** One after the other, in turn. */
  pick?: Spec[];
  /** A SEARCH/REPLACE block. */
  unit?: [search: Spec, replace: Spec];
  /** Context variables: an editor's content, perhaps in a list with path and language; a click's border and its sections. */
  editor?: Spec;
  question?: Spec;
  click?: [border: string, sections: Spec];
}

/** @param named specs by their names */
export function createBuilder(named: ReadonlyMap<string, Spec>) {
  const print = (spec: Spec, at: readonly number[] = []): string => String(build(spec, at));
  const many = (spec: Spec, { times }: Described, at: readonly number[]): unknown[] => {
    const length = times === "n" ? (at[0] ?? 0) : times;
    // Millions of them.
    if (typeof spec === "string" && !spec.includes("${")) return Array(length).fill(spec);
    return Array.from({ length }, (_, nth) => build(spec, [...at, nth]));
  };
  const build = (spec: Spec, at: readonly number[] = []): unknown => {
    if (typeof spec === "string") return spec === "#n" ? at[0] : fill(spec, at);
    if (typeof spec !== "object" || spec === null) return spec;
    if (Array.isArray(spec)) return spec.map((item) => build(item, at));
    const described = spec as Described;
    const { use, text, repeat, list, entries, pick, unit, question, click } = described;
    if (use !== undefined) return build(named.get(use), at);
    if (text !== undefined) return text.map((part) => print(part, at)).join("");
    if (repeat !== undefined) return many(repeat, described, at).join(described.join ?? "");
    if (list !== undefined) return many(list, described, at);
    if (entries !== undefined) return Object.fromEntries(Object(many(entries, described, at)));
    if (pick !== undefined) return build(pick[(at[0] ?? 0) % pick.length], at);
    if (unit !== undefined)
      return `------- SEARCH\n${print(unit[0], at)}=======\n${print(unit[1], at)}+++++++ REPLACE\n`;
    if (question !== undefined) return { name: "userInputPrompt", value: print(question, at) };
    if (click !== undefined) {
      const value = `Apply the changes of a.ts\n\n\`\`\`\`diff\n${click[0]}\n${print(click[1])}\`\`\`\``;
      return { name: "userInputPrompt", value };
    }
    if (described.editor !== undefined) {
      const [content, filePath = "a.ts", language = "typescript"] = [described.editor].flat();
      return { name: "activeEditor", value: { filePath, language, content: print(content, at) } };
    }
    return Object.fromEntries(Object.entries(spec).map(([name, item]) => [name, build(item, at)]));
  };
  return { build, print };
}

/** Most texts are the same each time. */
function fill(text: string, at: readonly number[]): string {
  if (!text.includes("${")) return text;
  return text.replaceAll(
    /\$\{([nk])(?:([+*%])(\d+))?\}/g,
    (_, name: string, sign?: string, by?: string) => {
      const number = at[name === "n" ? 0 : 1] ?? 0;
      const other = Number(by);
      if (sign === "+") return String(number + other);
      if (sign === "*") return String(number * other);
      return String(sign === "%" ? number % other : number);
    },
  );
}
