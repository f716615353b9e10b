// Settings by their paths of keys, in files that hold little else: nested by blocks, by indentation or under `[section]`.
import { parseJson } from "../../base/text/json.ts";
import { joinLines, linesOf, trimEndSigns } from "../../base/text/lines.ts";
import {
  isCloser,
  isComment,
  isEven,
  maxHead,
  type SourceLines,
  sourceLines,
  unitEnd,
} from "./source-lines.ts";

export interface Setting {
  /** The keys from the outermost one; items of a list by their numbers, as `[0]`. */
  path: readonly string[];
  /** Of the solid lines. */
  at: number;
  /** A plain value, and where that begins in the line; undefined where it has none. */
  value: string | undefined;
  from: number;
}

/** The value that a setting gets; `old` is the one that it has, or all of a line of the block that it names. */
export interface NewValue {
  setting: Setting;
  old?: string | undefined;
  now: string;
}

const section = /^\[{1,2}([^\][]+)\]{1,2}$/;
const assignment =
  /^(?:(?:export|ENV|ARG|LABEL)\s+)?(?:(?<quoted>"[^"]+"|'[^']+')\s*[:=]|(?<name>[$@\w./-]+)\s*(?:[:?+]?=(?![=>~])|:(?=\s|$)|:(?=[^:=]*;$)))\s*/;
const instruction =
  /^(?<name>EXPOSE|USER|WORKDIR|CMD|ENTRYPOINT|HEALTHCHECK|STOPSIGNAL|SHELL|VOLUME|RUN|COPY|ADD) +/;
const remark = /[ \t](?:#(?![\da-f]{3,8}\b)|\/\/|\/\*|; ).*$/i;
const head = /^(?:[^(=]+|[@&.:#][^=]*)\{$/;

/** The keys of a path: `a.b[0].c`, `[a] b`, `.card .body`, `type "name"`. */
function keysOf(path: string): string[] {
  const text = trimEndSigns(path.slice(0, maxPath), " :=");
  const keys = text.match(/\[\d+\]|(?:(?<![^\s"'])[.])?[^\s."'[\]]+/g) ?? [];
  return keys.filter((key) => key !== ">" && key !== "$");
}

/** In characters. */
const maxPath = 200;
/** Of a file with more of them none is looked for. */
const maxLines = 20_000;
/** Settings that some code shows, and those of both: a product. */
const maxPairs = 1_000_000;
/** Of the lines that say something, so many are settings where a file holds them. */
const leastShare = 0.75;

export class Settings {
  readonly text: string;
  readonly all: Setting[] = [];
  /** The text holds settings and little else. */
  readonly isPure: boolean;
  readonly #source: SourceLines;
  readonly #byPath: ReadonlyMap<string, readonly Setting[]>;

  constructor(text: string) {
    this.text = text;
    const lines = linesOf(text);
    this.#source = sourceLines(lines.length > maxLines ? [] : lines);
    const { texts, columns } = this.#source;
    const open = [{ column: -2, path: [] as readonly string[], items: 0, isText: false }];
    let [read, unread] = [0, 0];
    for (const [at, solid] of texts.entries()) {
      const bare = solid.slice(0, maxHead).replace(remark, "");
      const name = section.exec(bare)?.[1];
      let column = name === undefined ? (columns[at] ?? 0) : -1;
      const isIn = (one: (typeof open)[number]): boolean => one.column < column;
      const isSaid = bare.startsWith(";") || (isComment(bare) && !bare.endsWith("{"));
      if (isSaid || isCloser(bare) || open.some((one) => one.isText && isIn(one))) continue;
      const begin = (keys: readonly string[], isText = false): void => {
        open.splice(open.findLastIndex(isIn) + 1);
        open.push({ column, path: [...(open.at(-1)?.path ?? []), ...keys], items: 0, isText });
      };
      const [dashes = ""] = /^(?:- +)+/.exec(bare) ?? [];
      if (dashes !== "" || (open.length > 1 && /^[[{]$/.test(bare))) {
        // A list may be as deep as its key.
        const isAround = (one: (typeof open)[number]): boolean =>
          isIn(one) || (dashes !== "" && one.column === column && !isIndex(one.path.at(-1)));
        open.splice(open.findLastIndex(isAround) + 1);
        const parent = open.at(-1) ?? { path: [], items: 0 };
        const path = [...parent.path, `[${parent.items}]`];
        parent.items += 1;
        open.push({ column, path, items: 0, isText: false });
      }
      column += dashes.length;
      const rest = bare.slice(dashes.length);
      const set = assignment.exec(rest) ?? (dashes === "" ? instruction.exec(rest) : undefined);
      const said = trimEndSigns(rest.slice(set?.[0].length ?? 0), " ,;");
      const isHead = name !== undefined || (!/^\{?$/.test(said) && head.test(rest));
      read += 1;
      if (isHead) begin(keysOf(name ?? rest.slice(0, -1)));
      else if (set)
        begin(
          keysOf(set.groups?.["quoted"] ?? set.groups?.["name"] ?? ""),
          /^[|>][-+\d]*$/.test(said),
        );
      else if (!/^(?:FROM |[[{]$)/.test(rest) && dashes === "") unread += 1;
      if (!isHead && !set) continue;
      const isOne = !isHead && isEven([said]) && (columns[at + 1] ?? 0) <= column;
      const value = isOne && !/^$|^[|>&*!]|\\$/.test(said) ? said : undefined;
      this.all.push({
        path: open.at(-1)?.path ?? [],
        at,
        value,
        from: dashes.length + (set?.[0].length ?? 0),
      });
    }
    this.#byPath = Map.groupBy(this.all, ({ path }) => path.join("\n"));
    this.isPure = read > 0 && (read - unread) / read >= leastShare;
  }

  /** The one setting of a path, which may leave out the first keys; undefined where there are several or none. */
  find(path: string): Setting | undefined {
    const keys = keysOf(path);
    const found = this.#endingIn(keys).map((one) => ({
      root: one.path.slice(0, -keys.length),
      one,
    }));
    return onlyOf(found, keys)?.one;
  }

  /** @param path one without items stands for all of them */
  #endingIn(path: readonly string[]): Setting[] {
    const own = path.join("\n");
    const isWhole = path.some(isIndex);
    return this.all.filter((one) => {
      const keys = isWhole ? one.path : one.path.filter((key) => !isIndex(key));
      return own !== "" && `\n${keys.join("\n")}`.endsWith(`\n${own}`);
    });
  }

  /** The text with other values; undefined where one of them cannot have it. */
  change(values: readonly NewValue[]): string | undefined {
    const { all, numbers, texts } = this.#source;
    const changed = new Map<number, string>();
    for (const { setting, old, now } of values) {
      const { at, value = "" } = setting;
      const told = value === "" ? undefined : valueFor(value, old, now);
      const line = told === undefined ? this.#lineIn(setting, old) : at;
      const text = texts[line ?? -1] ?? "";
      // What JSON has is JSON.
      const isBroken = text.startsWith('"') && isJson(value) && !isJson(told ?? now);
      const from = told === undefined ? 0 : setting.from;
      const made =
        text.slice(0, from) +
        (told ?? now) +
        text.slice(from + (told === undefined ? text : value).length);
      if (line === undefined || isBroken || (changed.get(line) ?? made) !== made) return undefined;
      changed.set(line, made);
    }
    const lines = [...all];
    for (const [line, made] of changed) {
      const number = numbers[line] ?? 0;
      lines[number] = (lines[number] ?? "").replace(texts[line] ?? "", () => made);
    }
    return joinLines(lines);
  }

  /** The one line of a block that is the old one. */
  #lineIn({ at }: Setting, old = ""): number | undefined {
    const { texts } = this.#source;
    if (!/[\s:=]/.test(old)) return undefined;
    const end = unitEnd(this.#source, at);
    const [line, ...more] = [...texts.keys()].slice(at, end).filter((nth) => texts[nth] === old);
    return more.length === 0 ? line : undefined;
  }

  /** The text with the values that some code shows; undefined where it shows anything else. */
  changedAs(shown: Settings): string | undefined {
    const last = shown.all.filter(({ value }) => value !== undefined);
    const isRead = this.isPure && shown.isPure && last.length > 0;
    if (!isRead || last.length * (this.all.length + shown.all.length) > maxPairs) return undefined;
    const isHead = ({ path }: Setting): boolean =>
      last.some((one) => one.path.join("\n").startsWith(`${path.join("\n")}\n`));
    if (!shown.all.every((one) => last.includes(one) || isHead(one))) return undefined;
    const placed = [...Map.groupBy(last, ({ path }) => path[0]).values()].map((own) =>
      this.#place(own),
    );
    return placed.includes(undefined) ? undefined : this.change(placed.flatMap((one) => one ?? []));
  }

  /** Some code has nothing but paths into blocks of the text, which are no lines of it. */
  hasPaths({ all, isPure }: Settings): boolean {
    const blocks = new Set(
      this.all.flatMap(({ path, value }) => (value === undefined ? path.slice(-1) : [])),
    );
    const isPath = ({ path, value }: Setting): boolean =>
      path.length > 1 && value !== undefined && blocks.has(path[0] ?? "");
    return this.isPure && isPure && all.length > 0 && all.every(isPath);
  }

  /** Where settings with one root are, all together; an item of a list is the one that begins as it is shown. */
  #place(own: readonly Setting[]): NewValue[] | undefined {
    const isItem = isIndex(own[0]?.path[0]);
    const tails = own.map(({ path }) => path.slice(isItem ? 1 : 0));
    const [first = []] = tails;
    if (tails.some((tail) => tail.length === 0 || tail.some(isIndex))) return undefined;
    const found = this.#endingIn(first).flatMap((one) => {
      const root = one.path.slice(0, -first.length);
      // A key on its own says nothing of the block that it is in.
      const isBare = !isItem && tails.length === 1 && first.length === 1 && root.length > 0;
      const isOther = isItem && !(isIndex(root.at(-1)) && one.value === own[0]?.value);
      const values = tails.flatMap((tail, nth) => {
        const path = [...root, ...tail].join("\n");
        const [setting, ...more] = this.#byPath.get(path) ?? [];
        const now = own[nth]?.value ?? "";
        return setting === undefined || more.length > 0 ? [] : [{ setting, now }];
      });
      return isBare || isOther || values.length < tails.length ? [] : [{ root, values }];
    });
    return onlyOf(found, first)?.values;
  }
}

/** The only one, or the only one that begins outermost where a path has several keys. */
function onlyOf<T extends { root: readonly string[] }>(
  found: readonly T[],
  { length }: readonly string[],
): T | undefined {
  const whole = length > 1 ? found.filter(({ root }) => root.length === 0) : [];
  const [only, ...more] = whole.length === 1 ? whole : found;
  return more.length === 0 ? only : undefined;
}

const isIndex = (key = ""): boolean => /^\[\d+\]$/.test(key);
/** A value without the quotes around it. */
export const bareOf = (value: string): string => value.replace(/^(["'])(.*)\1$/, "$2");

/** The value as the file has to write it; undefined where it has another one than the old, or that is not clear. */
function valueFor(was: string, old: string | undefined, now: string): string | undefined {
  const [bare, next] = [bareOf(was), bareOf(now)];
  const quote = bare === was ? "" : was.charAt(0);
  const unit = /^-?[\d.]+([a-z%]+)$/i.exec(was)?.[1] ?? "";
  const isNumber = /^-?[\d.]+$/.test(now);
  const isOther = old !== undefined && bareOf(old) !== bare;
  if (quote !== "" && next.includes(quote)) return undefined;
  if (isOther) return unit !== "" && old + unit === was && isNumber ? now + unit : undefined;
  if (old !== undefined && (bareOf(old) === old) === (quote === "") && next === now) return now;
  if (old === undefined && unit !== "" && isNumber) return undefined;
  // Another kind of value takes no quotes, nor does it lose them, if nothing says so.
  const isWord = old !== undefined || next !== now || !(isNumber || isJson(now));
  if (quote !== "") return isWord ? quote + next + quote : undefined;
  return old === undefined || bareOf(old) === old ? now : next;
}

const isJson = (value: string): boolean => parseJson(value) !== undefined;
