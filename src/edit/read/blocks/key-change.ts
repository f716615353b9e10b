// Values that an answer gives to settings, which it names by their paths of keys: in the rows of a table, or in sentences.
import { countText } from "../../../base/text/count-text.ts";
import { joinLines, linesOf, trimEndSigns } from "../../../base/text/lines.ts";
import { bareOf, type NewValue, type Setting, Settings } from "../../align/settings.ts";
import { pathOfLine } from "../dress/path-in-text.ts";
import type { CodeBlock } from "../file-edit.ts";
import { optionOf } from "../lead-lines.ts";
import type { ToldChange } from "./quoted-change.ts";
import type { TextLine } from "./quoted-sentences.ts";
import {
  asksForChange,
  asksForCode,
  isHead,
  leadsOn,
  leavesToPerson,
  quotedIn,
  readSentence,
  sentencesOf,
  withoutRemarks,
} from "./told-words.ts";

/** Lines that may tell, and characters of the file: a product. */
const maxTold = 4_000_000;
const oldSide = /\b(?:current(?:ly)?|old|before|from|was|now)\b|原(?!因|理)|旧|当前|现/i;
const newSide =
  /\b(?:new|after|suggest(?:ed|ion)|recommend(?:ed|ation)|proposed|to|should be)\b|新|改为|改后|建议|推荐|应为/i;
const offer = /\b(?:could|might|may|examples?|instance)\b|例如|比如|也?可以?考虑/i;

/**
 * The values that an answer tells, as one change of the lines from the first to the last.
 *
 * @returns undefined where nothing is told so, one of them is not clear, or a sentence orders what no block shows
 */
export function readKeyChange(
  lines: readonly TextLine[],
  blocks: readonly CodeBlock[],
  given: string,
): ToldChange | undefined {
  const text = given.replaceAll("\r\n", "\n");
  const own = lines.filter(({ isCode, text: said }) => !isCode && /[`|]/.test(said));
  if (own.length === 0 || own.length * text.length > maxTold) return undefined;
  if (lines.some((one) => optionOf(one.text) !== undefined)) return undefined;
  const settings = new Settings(text);
  const values: NewValue[] = [];
  let [columns, filePath]: [Columns | undefined, string | undefined] = [undefined, undefined];
  for (const { text: said, line, isCode } of lines) {
    if (isCode) continue;
    const cells = cellsOf(said);
    const row = cells && columns && rowOf(cells, columns, settings);
    if (row === null) return undefined;
    columns = cells && (columns ?? columnsOf(cells));
    // What does not suit tells why.
    const lead = said.replace(/(?<=\w)(?<!\b(?:you|we|please)) (?:do not|don['’]t) /i, " ");
    const isLed = isHead(said) && (leavesToPerson(lead) || offer.test(said));
    if (isLed) return undefined;
    const shows = ({ above, line: at }: CodeBlock): boolean => at === line || above === said;
    for (const sentence of cells === undefined ? sentencesOf(said) : []) {
      const told = valuesTold(sentence, settings);
      const isMore = told?.length === 0 && asksForChange(sentence) && !blocks.some(shows);
      if (told === undefined || isMore) return undefined;
      values.push(...told);
      if (told.length > 0 || isHead(said))
        filePath ??= quotedIn(sentence).find((one) => /\.\w+$/.test(one) && pathOfLine(one));
    }
    values.push(...(row ?? []));
  }
  const after = values.length === 0 ? undefined : settings.change(values);
  return after === undefined ? undefined : toChange(text, after, filePath);
}

/** The lines that differ, with as many above them as tell them from others. */
function toChange(
  text: string,
  after: string,
  filePath: string | undefined,
): ToldChange | undefined {
  const [old, now] = [linesOf(text), linesOf(after)];
  const differs = (line: string, nth: number): boolean => line !== now[nth];
  let from = old.findIndex(differs);
  const to = old.findLastIndex(differs) + 1;
  if (from === -1) return undefined;
  const search = (): string => joinLines(old.slice(from, to));
  while (from > 0 && countText(`\n${text}`, `\n${search()}`, 2) > 1) from -= 1;
  const replace = joinLines(now.slice(from, to));
  return { search: search(), replace, line: 1, filePath, blocks: [] };
}

interface Columns {
  keys: number;
  old: number;
  now: number;
}

function cellsOf(text: string): string[] | undefined {
  const [, row] = /^\|(.*)\|$/.exec(text.trim()) ?? [];
  return row?.match(/(?:`[^`]*`|[^|`])+/g)?.map((cell) => cell.trim());
}

/** Which cells of a table have the keys and the values. */
function columnsOf(cells: readonly string[]): Columns | undefined {
  const [old = -1, ...olds] = [...cells.keys()].filter((nth) => oldSide.test(cells[nth] ?? ""));
  const [now = -1, ...news] = [...cells.keys()].filter((nth) => newSide.test(cells[nth] ?? ""));
  const keys = old === -1 ? now : Math.min(old, now);
  const isClear = olds.length + news.length === 0 && now > 0 && keys > 0 && old !== now;
  return isClear ? { keys, old, now } : undefined;
}

/** Null where a row names something else. */
function rowOf(
  cells: readonly string[],
  { keys, old, now }: Columns,
  settings: Settings,
): NewValue[] | null {
  if (cells.every((cell) => /^:?-+:?$/.test(cell))) return [];
  const key = cells.slice(0, keys).filter((cell) => !/^\d*$/.test(cell));
  const setting = settings.find(key.map((cell) => codeOf(cell) ?? cell).join(" "));
  const [was, next] = [old === -1 ? undefined : codeOf(cells[old]), codeOf(cells[now])];
  if (setting === undefined || next === undefined || (old !== -1 && was === undefined)) return null;
  return [{ setting, old: was, now: next }];
}

/** All of a cell that is a value. */
function codeOf(cell = ""): string | undefined {
  const [, code = cell] = /^`([^`]+)`$/.exec(cell) ?? [];
  const isValue = code !== cell || /^(?:true|false|on|off|yes|no|-?\d[\w.%]*|"[^"]*")$/.test(cell);
  return isValue ? valueIn(code) : undefined;
}

const valueIn = (code: string): string => trimEndSigns(code.trim(), " ,;");

/** The values that a sentence orders for the settings it quotes; undefined where that is not clear. */
function valuesTold(sentence: string, settings: Settings): NewValue[] | undefined {
  const parts = withoutRemarks(sentence).split(/`([^`]+)`/);
  const groups: { setting: Setting; at: number; values: number[] }[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const part = parts[at] ?? "";
    const setting = /[\w\]]$/.test(part) ? settings.find(part) : undefined;
    const isKey =
      setting?.value !== undefined && /[^.\s]\.[^.\s]|\s/.test(part) && !/[:=]\s/.test(part);
    if (isKey) groups.push({ setting, at, values: [] });
    else groups.at(-1)?.values.push(at);
  }
  const own = groups.filter(({ values }) => values.length > 0);
  if (own.length === 0 || !settings.isPure) return [];
  if (groups.length > own.length) return undefined;
  const told = own.map(({ setting, at, values: [one = 0, other, ...more] }) => {
    if (more.length > 0) return undefined;
    const textOf = (from: number, to?: number): string =>
      parts
        .slice(from, to)
        .map((part, nth) => ((from + nth) % 2 === 1 ? `\`${part}\`` : part))
        .join("")
        .replaceAll(/\b(?:set|raise|lower|increase|decrease|reduce|bump)\b/gi, "change")
        .replaceAll(/设置?[为成]|调[整高低大小]*[为到成至]/g, "改为");
    const [first, next] = [one, other ?? one].map((nth) => valueIn(parts[nth] ?? ""));
    const is = setting.value ?? "";
    const isOldFirst = other === undefined || bareOf(first ?? "") === bareOf(is);
    if (other === undefined) {
      const [before, between, after] = [textOf(0, at), textOf(at + 1, one), textOf(one + 1)];
      const isAsked =
        leadsOn(between) || asksForCode({ before: `${before}\`\`${between}`, after }) === true;
      const isTold = isAsked && readSentence({ before, after }, between, true);
      return isTold && first ? { setting, now: first } : undefined;
    }
    const around = { before: textOf(0, one), after: textOf(other + 1) };
    const isTold = readSentence(around, textOf(one + 1, other), isOldFirst);
    const [old, now] = isOldFirst ? [first, next] : [next, first];
    return isTold && now ? { setting, old, now } : undefined;
  });
  const clear = told.flatMap((one) => one ?? []);
  return clear.length === told.length ? clear : clear.length === 0 ? [] : undefined;
}
