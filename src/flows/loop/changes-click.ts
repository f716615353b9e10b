// What a click on proposed changes of several files sends: a head for each file, and its units below it.
import { EditSession } from "../../edit/edit-session.ts";
import type { EditErrorCode, EditUnit, ParsedUnit } from "../../edit/edit-unit.ts";
import { parseInSteps } from "../../edit/read/parse-answer.ts";
import { printInSteps } from "../../edit/read/print-units.ts";
import type { Steps } from "../../edit/steps.ts";
import type { Locale } from "../../errors/locale.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { type ChosenPlaces, printHead, readHead } from "../click/click-prompt.ts";
import { printPrompt, readPrompt } from "../click/prompt-parts.ts";
import { printBlockSentence } from "../click/sentences.ts";
import { plainText } from "../edit/forms/apply-text.ts";
import { toUnits } from "../edit/forms/to-units.ts";

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

export function* printChangesClick(changes: readonly FileChange[], locale: Locale): Steps<string> {
  const sections: string[] = [];
  for (const change of changes) {
    sections.push(yield* printSection(change));
    yield;
  }
  const names = changes.map(({ path }) => path).join(locale === "zh" ? "、" : ", ");
  const sentence = printBlockSentence("apply-changes", locale, names);
  const border = findBorder(sections);
  return printPrompt(sentence, sections.map((text) => `${border}\n${text}`).join("\n"), "diff");
}

/** A line that no section has. */
function findBorder(sections: readonly string[]): string {
  let border = "====";
  while (sections.some((text) => text.includes(border))) border += "=";
  return border;
}

/** Undefined for any other prompt. */
export function* readChangesClick(prompt: string | undefined): Steps<ClickedChange[] | undefined> {
  const { sentence, block } = readPrompt(prompt) ?? {};
  if (block === undefined || sentence?.kind !== "apply-changes") return undefined;
  const [border = ""] = block.split("\n", 1);
  if (!/^={4,}$/.test(border)) return undefined;
  const changes: ClickedChange[] = [];
  for (const section of block.slice(border.length + 1).split(`\n${border}\n`)) {
    const change = yield* readSection(section);
    if (change === undefined) return undefined;
    changes.push(change);
  }
  return changes;
}

function* printSection({ path, before, after }: FileChange): Steps<string> {
  if (after === undefined)
    return `${printHead(before?.hash, new Map())}\ndelete ${JSON.stringify(path)}`;
  const { units, places } =
    before === undefined
      ? { units: [{ search: "", replace: plainText(after) }], places: new Map<number, number>() }
      : yield* toUnits(plainText(before.text), plainText(after));
  const session = new EditSession(before?.text, { places });
  for (const unit of before === undefined ? [] : units) yield* session.addInSteps(unit);
  const head = printHead(before?.hash, session.chosen);
  const kind = before === undefined ? "new" : "edit";
  return `${head}\n${kind} ${JSON.stringify(path)}\n${yield* printInSteps(units)}`;
}

function* readSection(section: string): Steps<ClickedChange | undefined> {
  const [headLine = "", name = ""] = section.split("\n", 2);
  const head = readHead(headLine);
  const [, kind, quoted] = /^(edit|new|delete) (".*")$/.exec(name) ?? [];
  const path = readName(quoted);
  if (head === undefined || path === undefined) return undefined;
  const body = section.slice(headLine.length + name.length + 2);
  if (kind === "delete") return { ...head, path, kind, units: [] };
  const [file] = (yield* parseInSteps(body)).files;
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
