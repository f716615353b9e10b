// What an answer orders besides its code, and the changed file has not: with that, the change would be made by half.
import { countText } from "../../../base/text/count-text.ts";
import { linesOf } from "../../../base/text/lines.ts";
import { importedNames } from "../../align/line-version.ts";
import { declaredName, isImportLine, wordsOf } from "../../align/source-lines.ts";
import {
  holds,
  maxQuoted,
  placesIn,
  readSentences,
  type Sentence,
  squeeze,
  type TextLine,
} from "./quoted-sentences.ts";
import {
  asksForCode,
  importToAdd,
  importToGo,
  isListItem,
  leadsToRemoval,
  leavesToPerson,
  namesToGo,
  ordersIn,
  quotedIn,
  readSentence,
  renamedTo,
  tellsWhere,
  toMove,
} from "./told-words.ts";

/** A file before and after a change. */
class ChangedFile {
  /** Squeezed. */
  readonly old: string;
  readonly now: string;
  /** With what the change quotes besides. */
  readonly shown: string;
  readonly #given: string;
  #declared: Set<string> | undefined;

  constructor(was: string, made: string, given: string) {
    this.#given = given;
    this.old = squeeze(was);
    this.shown = squeeze(given);
    this.now = made === given ? this.shown : squeeze(made);
  }

  shows(code: string): boolean {
    return holds(this.shown, squeeze(code));
  }

  declares(name: string): boolean {
    const namesOf = (line: string): string[] => [...wordsOf(declaredName(line.trim()) ?? "")];
    this.#declared ??= new Set(linesOf(this.#given).flatMap(namesOf));
    return this.#declared.has(name);
  }

  /** Whether some code is fewer, as many, or more times there than before. */
  growthOf(code: string): number {
    const countIn = (text: string): number => [...placesIn(text, squeeze(code))].length;
    return countIn(this.now) - countIn(this.old);
  }
}

interface Told extends Sentence {
  /** One of several items of a list. */
  isItem: boolean;
}

/** What an order asks for and the file does not have, of one kind of orders. */
type Check = (told: Told, file: ChangedFile) => string | undefined;

const checks: readonly Check[] = [
  lineThatStands,
  nameThatStands,
  codeAtItsPlace,
  nameThatLacks,
  importThatStands,
  lineThatWent,
  codeThatIsReplaced,
  newSide,
  codeThatLacks,
  sideThatLacks,
];

/** Pieces that are quoted, and characters of the file: a product. */
const maxTold = 4_000_000;

/**
 * The code of an order that a sentence gives and a change does not carry out.
 *
 * @param given the changed text, and what of the change is quoted besides
 * @param was the text before the change
 * @param isOther a path names another file
 * @param made the changed text
 */
export function unmetChange(
  lines: readonly TextLine[],
  given: string,
  was: string,
  isOther: (path: string) => boolean,
  made = given,
): string | undefined {
  const quoting = lines.filter(({ text }) => text.includes("`"));
  const sentences = quoting.length > maxQuoted ? [] : quoting.flatMap(readSentences);
  const rows = rowsOfChange(lines.slice(0, maxQuoted));
  const count = sentences.reduce((sum, { quoted }) => sum + quoted.length, 2 * rows.length);
  const isUntold = sentences.length === 0 && rows.length === 0;
  if (isUntold || count * given.length > maxTold) return undefined;
  const file = new ChangedFile(was, made, given);
  const row = rows.find(([, now]) => !file.shows(now));
  if (row !== undefined) return row[1];
  const items = new Set(lines.flatMap(({ text, line }) => (isListItem(text) ? [line] : [])));
  for (const sentence of sentences) {
    const { text, line, path } = sentence;
    if (path !== undefined && isOther(path)) continue;
    // What is optional in the code is no offer.
    if (leavesToPerson(text.replaceAll(/` is optional\b/g, "`"))) continue;
    const told = { ...sentence, isItem: items.size > 1 && items.has(line) };
    for (const check of checks) {
      const unmet = check(told, file);
      if (unmet !== undefined) return unmet;
    }
  }
  return undefined;
}

/** The old and the new side of each row of a table whose head says that it has both. */
function rowsOfChange(lines: readonly TextLine[]): [old: string, now: string][] {
  let head = "";
  const isOfBoth = (text: string): boolean =>
    /\b(?:current(?:ly)?|old|before|wrong|from|was|found)\b|原|旧|当前|现|错误/i.test(text) &&
    /\b(?:new|after|correct(?:ed)?|right|suggested|to|fix(?:ed)?|should be)\b|新|改为|正确|建议/i.test(
      text,
    );
  return lines.flatMap(({ text }): [string, string][] => {
    if (!text.trim().startsWith("|")) head = "";
    else if (head === "") head = text;
    const [old, now] = quotedIn(text)
      .filter((one) => one.trim() !== "")
      .slice(-2);
    return old === undefined || now === undefined || !isOfBoth(head) ? [] : [[old, now]];
  });
}

/** A whole line, also the head of a block, that is to go. */
function lineThatStands({ quoted }: Told, { now }: ChangedFile): string | undefined {
  const stands = (code: string): boolean => {
    const line = squeeze(code.replace(/ ?\{ ?(?:\.{3}|…) ?\}$/, ""));
    return ["", " {"].some((end) => `\n${now}\n`.includes(`\n${line}${end}\n`));
  };
  return quoted.find(
    ({ before, code }) => leadsToRemoval(before) && !tellsWhere(before) && stands(code),
  )?.code;
}

function nameThatStands({ text }: Told, file: ChangedFile): string | undefined {
  return ordersIn(text)
    .flatMap(namesToGo)
    .find((name) => file.declares(name));
}

/** What is to move, and is once in the file, is still above or below the same line. */
function codeAtItsPlace({ text }: Told, { old, now }: ChangedFile): string | undefined {
  const moved = toMove(text);
  if (moved === undefined) return undefined;
  const sidesIn = (all: string): (string | undefined)[] => {
    const [above = "", below, ...more] = `\n${all}\n`.split(`\n${squeeze(moved)}\n`);
    const isOne = below !== undefined && more.length === 0;
    return isOne ? [above.split("\n").at(-1), below.split("\n", 1)[0]] : [];
  };
  const beside = sidesIn(now);
  const isBeside = (one = "", nth = 0): boolean => /\w/.test(one) && one === beside[nth];
  return sidesIn(old).some(isBeside) ? moved : undefined;
}

function nameThatLacks({ text }: Told, file: ChangedFile): string | undefined {
  return [importToAdd(text), renamedTo(text)].find((one) => one !== undefined && !file.shows(one));
}

function importThatStands({ text }: Told, { now }: ChangedFile): string | undefined {
  const gone = importToGo(text);
  const isImported = (one: string): boolean => isImportLine(one) && holds(one, gone ?? "");
  const stands = gone !== undefined && now.split("\n").some(isImported);
  return stands ? gone : unusedImports(text, now)[0];
}

/** "The `a` line stays as it is." */
const thatStays =
  /`([^`]+)` (?:lines?|calls?|statements?|checks?|imports?) (?:\w+ )?(?:stays?|remains?|(?:is|are) (?:kept|unchanged|fine))\b|`([^`]+)` ?[这那]?一?行[^，。]{0,4}(?:不变|保持|保留|不用|无需)/i;

function lineThatWent({ text }: Told, file: ChangedFile): string | undefined {
  const [, en, staying = en] = thatStays.exec(text) ?? [];
  return staying !== undefined && file.growthOf(staying) < 0 ? staying : undefined;
}

/** "This replaces `a` and `b`", and not with what. */
const thatReplaces =
  /^[^\p{L}`]*(?:it|this|that|which|these|those)\b[^`]{0,30}\breplaces?\b(?!.*\b(?:with|by|from|everything)\b)/iu;

/** All lines that hold some code are there as before. */
function codeThatIsReplaced({ text }: Told, { old, now }: ChangedFile): string | undefined {
  if (!thatReplaces.test(text)) return undefined;
  return quotedIn(text).find((code) => {
    const own = old.split("\n").filter((line) => holds(line, squeeze(code)));
    const areFew = own.length > 0 && own.length <= maxMeant;
    const stands = (line: string): boolean => countLine(now, line) >= countLine(old, line);
    return /[\s(]/.test(code) && areFew && own.every(stands);
  });
}

const turnsTo =
  /(?:\b(?:change|set|update|replace|bump|raise|lower|increase|decrease|reduce|switch|and)\b[^`]{0,30}`[^`]+`[^`]{0,20}\b(?:to|by|with)|`[^`]+`[^`，。]{0,12}[改换设调][成为到]) ?`([^`]+)`/gi;

/** What something turns into, and was not in the file; of an item of a list it may have been. */
function newSide({ text, isItem }: Told, file: ChangedFile): string | undefined {
  const wanted = [...text.matchAll(turnsTo)].map(([, one = ""]) => one);
  const isOpen = (code: string): boolean =>
    /\w/.test(code) &&
    file.growthOf(code) <= 0 &&
    (isItem || !holds(`${file.old}\n${file.shown}`, squeeze(code)));
  return ordersIn(text).length > 0 ? wanted.find(isOpen) : undefined;
}

/** Beside something that is quoted, too, and then also what has no spaces. */
function codeThatLacks({ quoted, isItem }: Told, file: ChangedFile): string | undefined {
  const sign = quoted.length > 1 ? /[\s(=]/ : /[^\w.$()"'-]/;
  // What an item of a list asks for may be in other places of the file, too.
  const isElsewhere = (code: string): boolean => {
    const was = countLine(file.old, squeeze(code));
    return was > 0 && countLine(file.shown, squeeze(code)) <= was;
  };
  return quoted.find(
    (one) =>
      sign.test(one.code) &&
      !/\.{3}|…/.test(one.code) &&
      asksForCode(one) === true &&
      (!file.shows(one.code) || (isItem && isElsewhere(one.code))),
  )?.code;
}

/** How often a text has some code as whole lines. */
function countLine(text: string, code: string): number {
  return countText(`\n${text}\n`, `\n${code}\n`);
}

/** Of two sides the old one is there, and not the new one. */
function sideThatLacks({ quoted }: Told, file: ChangedFile): string | undefined {
  for (const [nth, next] of quoted.slice(1).entries()) {
    const one = quoted[nth] ?? next;
    const isOld = file.shows(one.code);
    if (isOld === file.shows(next.code)) continue;
    const around = { before: one.before, after: next.after };
    if (readSentence(around, next.before, isOld) !== undefined) return (isOld ? next : one).code;
  }
  return undefined;
}

/** The imports of which a sentence says that they are to go, or have gone, and of which the text uses nothing. */
export function unusedImports(sentence: string, text: string): string[] {
  if (!ofImport.test(sentence) || !isNoMore.test(sentence) || toKeep.test(sentence)) return [];
  const lines = linesOf(text);
  const quoted = quotedIn(sentence);
  const isMeant = (line: string): boolean =>
    isImportLine(line.trim()) && quoted.some((one) => [...placesIn(line, one)].length > 0);
  const meant = quoted.length * text.length > maxTold ? [] : lines.filter(isMeant);
  if (meant.length > maxMeant) return [];
  return meant.filter((line) => {
    const names = [...importedNames(line.trim())];
    const isUsed = (name: string): boolean =>
      lines.some((one) => one !== line && [...placesIn(one, name)].length > 0);
    return names.length > 0 && !names.some(isUsed);
  });
}

/** Lines that words may mean. */
const maxMeant = 10;
const ofImport = /\b(?:imports?|includes?|using|use|require)\b|导入|引入|引用/i;
const isNoMore =
  /\b(?:remov|delet|drop)\w*|\bunused\b|\b(?:no longer|not|never|n['’]t)(?: \w+)? (?:used|needed|required)\b|n['’]t (?:used|needed|required)|\bobsolete\b|删|移除|去掉|不再|多余|未使用|用不到|没有?用/i;
const toKeep =
  /\b(?:do not|don['’]t|never|not to|must not|should not|shouldn['’]t|cannot|can['’]t) (?:remove|delete|drop)|\b(?:keep|stays?|if|unless|once)\b|保留|(?:不要|别|勿|不能)(?:删|移)|如果|若/i;
