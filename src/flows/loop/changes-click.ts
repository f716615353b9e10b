// What a click on proposed changes of several files sends: a head for each file, and its units below it.
import { showName } from "../../base/errors/names.ts";
import { EditSession } from "../../edit/edit-session.ts";
import type { EditErrorCode, EditUnit, ParsedUnit } from "../../edit/edit-unit.ts";
import { parseAnswer } from "../../edit/read/parse-diff.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { type ChosenPlaces, printHead, readHead } from "../click/click-prompt.ts";
import { printBlockSentence, printPrompt, readPrompt } from "../click/sentences.ts";
import { plainText } from "../edit/forms/apply-text.ts";
import { toUnits } from "../edit/forms/to-units.ts";

/** Changes of one click. More are nothing that was offered. */
export const maxChanges = 1_000;
/** Files that the sentence of a click may name; it is cut anyway. */
const maxNamed = 20;

/** What should become of a file. */
export interface ClickedChange {
  path: string;
  kind: "edit" | "new" | "delete";
  /** The beginning of the hash that it was proposed for; undefined for new files. */
  fileHash: string | undefined;
  places: ChosenPlaces;
  units: readonly (EditUnit | ParsedUnit)[];
  /** In place of units: the whole text, or code with marks for what stays. Only in answers. */
  code?: string;
  /** Why it cannot be made, where that is known already. */
  refusal?: EditErrorCode;
}

export function printChangesClick(changes: readonly FileChange[], locale: Locale): string {
  const sections: string[] = [];
  for (const change of changes) {
    sections.push(printSection(change));
  }
  const sentence = printBlockSentence("apply-changes", locale, nameFiles(changes, locale));
  const border = findBorder(sections);
  return printPrompt(sentence, sections.map((text) => `${border}\n${text}`).join("\n"), "diff");
}

/** Of names of nothing but Markdown's signs no word would be left, and the sentence is known by its end. */
function nameFiles(changes: readonly FileChange[], locale: Locale): string {
  const names = changes.slice(0, maxNamed).map(({ path }) => showName(path));
  const isSaid = names.some((name) => /[\p{L}\p{N}]/u.test(name));
  if (isSaid) return names.join(locale === "zh" ? "、" : ", ");
  return locale === "zh" ? `${changes.length} 个文件` : `${changes.length} files`;
}

/** The shortest line of `=` that none of the sections has. */
function findBorder(sections: readonly string[]): string {
  const taken = new Set<number>();
  for (const text of sections) {
    for (const [line] of text.matchAll(/^={4,}$/gm)) taken.add(line.length);
  }
  let length = 4;
  while (taken.has(length)) length += 1;
  return "=".repeat(length);
}

/** Undefined for any other prompt. */
export function readChangesClick(prompt: string | undefined): ClickedChange[] | undefined {
  const { sentence, block } = readPrompt(prompt?.trimStart()) ?? {};
  if (block === undefined || sentence?.kind !== "apply-changes") return undefined;
  const [border = ""] = block.split("\n", 1);
  if (!/^={4,}$/.test(border)) return undefined;
  const changes: ClickedChange[] = [];
  for (const section of cutSections(block, border)) {
    const change = changes.length < maxChanges ? readSection(section) : undefined;
    if (change === undefined) return undefined;
    changes.push(change);
  }
  return changes;
}

/** One by one: a block may have a million lines that could be a border. */
function* cutSections(block: string, border: string): Generator<string, void, void> {
  for (let start = border.length + 1; ;) {
    const end = block.indexOf(`\n${border}\n`, start);
    yield block.slice(start, end === -1 ? undefined : end);
    if (end === -1) return;
    start = end + border.length + 2;
  }
}

function printSection({ path, before, after }: FileChange): string {
  const name = JSON.stringify(path);
  if (after === undefined) return `${printHead(before?.hash, new Map())}\ndelete ${name}`;
  if (before === undefined) {
    const unit = { search: "", replace: wholeLines(after) };
    return `${printHead(undefined, new Map())}\nnew ${name}\n${printUnits([unit])}`;
  }
  const { units, chosen } = toPlacedUnits(before.text, after);
  return `${printHead(before.hash, chosen)}\nedit ${name}\n${printUnits(units)}`;
}

/** The change of a file as units that fit without any place being named. @param before undefined: it is new */
export function toPlainUnits(before: string | undefined, after: string): EditUnit[] {
  if (before === undefined) return [{ search: "", replace: wholeLines(after) }];
  const { units, chosen } = toPlacedUnits(before, after);
  return chosen.size === 0 ? units : [wholeUnit(before, after)];
}

/** The change of a file as units that come to just this, and the places of those that fit several. */
function toPlacedUnits(before: string, after: string): { units: EditUnit[]; chosen: ChosenPlaces } {
  const { units, places } = toUnits(plainText(before), plainText(after));
  const session = new EditSession(before, { places });
  for (const unit of units) session.add(unit);
  const { chosen } = session;
  const result = session.end();
  if (result.ok && result.text === after) return { units, chosen };
  return { units: [wholeUnit(before, after)], chosen: new Map() };
}

function wholeUnit(before: string, after: string): EditUnit {
  return { search: wholeLines(before), replace: wholeLines(after) };
}

/** Units hold whole lines. */
function wholeLines(text: string): string {
  const plain = plainText(text);
  return plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`;
}

function readSection(section: string): ClickedChange | undefined {
  const [headLine = "", name = ""] = section.split("\n", 2);
  const head = readHead(headLine);
  const [, kind, quoted] = /^(edit|new|delete) (".*")$/.exec(name) ?? [];
  const path = readName(quoted);
  if (head === undefined || path === undefined) return undefined;
  const body = section.slice(headLine.length + name.length + 2);
  if (kind === "delete") return { ...head, path, kind, units: [] };
  const [file] = parseAnswer(body).files;
  if (file === undefined || file.error !== undefined) return undefined;
  return { ...head, path, kind: kind === "new" ? "new" : "edit", units: file.units };
}

function readName(quoted: string | undefined): string | undefined {
  try {
    const path: unknown = JSON.parse(quoted ?? "");
    return typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}
