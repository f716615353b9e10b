// Complete changes from which a person has to choose, under headings such as "Option A".
import type { EditError, LineRange } from "../../../edit/edit-unit.ts";
import { EditSession } from "../../../edit/edit-session.ts";
import type { Alternative, CodeBlock } from "../../../edit/read/file-edit.ts";
import {
  type CheckedResult,
  type EditScene,
  type ProposedUnits,
  checkResult,
  proseOfTarget,
} from "../show-edit.ts";
import { isOfTarget } from "../../place/edit-target.ts";
import { printLines } from "../../place/find-names.ts";
import { applyText } from "./apply-text.ts";
import { applyMarkedCode } from "./apply-code.ts";
import { readCodeBlocks } from "./read-code.ts";

/** One of them; it can be applied alone. */
export interface EditOption extends ProposedUnits {
  title: string;
  after: string;
}

export interface OptionsReading {
  options: EditOption[];
  /** The code blocks that they came from. */
  blocks: readonly CodeBlock[];
  /** Not all of them can be applied alone; then there are none. */
  error?: EditError;
}

interface Applied extends ProposedUnits {
  title: string;
  result: CheckedResult | undefined;
}

/**
 * Applies each option alone that the answer has under a heading.
 *
 * @returns undefined if the answer has fewer than two
 */
export async function readOptions(
  scene: EditScene,
  alternatives: readonly Alternative[],
  blocks: readonly CodeBlock[],
): Promise<OptionsReading | undefined> {
  if (alternatives.length > 0) {
    const applied: Applied[] = [];
    for (const option of alternatives) applied.push(await applyOption(scene, option));
    return toReading(applied, []);
  }
  const headed = [...Map.groupBy(blocks, ({ option }) => option)];
  return applyEach(
    scene,
    headed.flatMap(([head, own]) => (head === undefined ? [] : [{ title: head.title, own }])),
    true,
  );
}

/**
 * Applies blocks that exclude each other, each alone, under the line above it.
 *
 * @returns undefined if fewer than two can be a change of the file
 */
export function readRivals(
  scene: EditScene,
  blocks: readonly CodeBlock[],
): Promise<OptionsReading | undefined> {
  const marks = /[*`#>]|^\s*(?:[-+•]|\d{1,2}[.)、])\s*|[:：]$/g;
  const titleOf = ({ above }: CodeBlock, nth: number): string =>
    above.trim().replaceAll(marks, "").trim().slice(0, maxTitle) || String(nth + 1);
  return applyEach(
    scene,
    blocks.map((block, nth) => ({ title: titleOf(block, nth), own: [block] })),
  );
}

const maxTitle = 80;
/** Of more places none is shown. */
const maxPlaces = 8;

/**
 * Applies blocks at each place that may be meant, alone.
 *
 * @returns undefined unless at least two of these are a change, and another one each
 */
export async function readPlaces(
  scene: EditScene,
  blocks: readonly CodeBlock[],
  places: readonly LineRange[],
): Promise<OptionsReading | undefined> {
  const options = new Map<string, EditOption>();
  for (const within of places.length > maxPlaces ? [] : places) {
    const title = printLines(within, scene.turn.locale);
    const applied = await applyBlocks({ ...scene, within }, title, blocks);
    if (applied?.result?.ok !== true) continue;
    const after = applied.result.text;
    if (!options.has(after)) options.set(after, { ...applied, after });
  }
  return options.size < 2 ? undefined : { options: [...options.values()], blocks };
}

/** @param areOffered each is an option, also what can be no change of the file */
async function applyEach(
  scene: EditScene,
  options: readonly { title: string; own: readonly CodeBlock[] }[],
  areOffered = false,
): Promise<OptionsReading | undefined> {
  if (options.length < 2) return undefined;
  const applied: Applied[] = [];
  for (const { title, own } of options) {
    const one = await applyBlocks(scene, title, own);
    if (one !== undefined || areOffered) applied.push(one ?? noChange(title));
  }
  const blocks = options.flatMap(({ own }) => own);
  return applied.length < 2 ? undefined : toReading(applied, blocks);
}

function toReading(applied: readonly Applied[], blocks: readonly CodeBlock[]): OptionsReading {
  const options = applied.flatMap(({ result, ...one }) =>
    result?.ok === true ? { ...one, after: result.text } : [],
  );
  if (options.length === applied.length) return { options, blocks };
  const titles = applied.flatMap(({ title, result }) => (result?.ok === true ? [] : [title]));
  return { options: [], blocks: [], error: describeOptions(titles) };
}

const noChange = (title: string): Applied => ({
  title,
  units: [],
  foundAt: [],
  places: new Map(),
  result: undefined,
});

async function applyOption(scene: EditScene, { title, files }: Alternative): Promise<Applied> {
  const { target, within, examples } = scene;
  const own = files.filter(({ filePath }) => isOfTarget(filePath, target, examples));
  const session = new EditSession(target.text, { within, prose: await proseOfTarget(scene) });
  const nothing = noChange(title);
  if (own.length !== files.length || own.some(({ error }) => error !== undefined)) return nothing;
  const marked = own.find(({ codeEdit }) => codeEdit !== undefined);
  if (marked?.codeEdit !== undefined) {
    const change = await applyMarkedCode(
      scene,
      marked.codeEdit,
      marked.filePath,
      scene.target.text,
    );
    if ("code" in change) return nothing;
    const { proposed, result } = applyText(scene, change);
    return { title, ...proposed, result: await checkResult(scene, result) };
  }
  for (const unit of own.flatMap(({ units }) => units)) {
    session.add(unit);
  }
  const result = session.end();
  const { units, foundAt, chosen: places } = session;
  return { title, units, foundAt, places, result: await checkResult(scene, result) };
}

/** Undefined if the blocks can be no change of the file. */
async function applyBlocks(
  scene: EditScene,
  title: string,
  blocks: readonly CodeBlock[],
): Promise<Applied | undefined> {
  const reading = await readCodeBlocks(scene, blocks);
  if (reading.kind === "none") return undefined;
  if (reading.kind !== "change") {
    return noChange(title);
  }
  const { proposed, result } = applyText(scene, reading);
  return { title, ...proposed, result: await checkResult(scene, result) };
}

/** @param titles of those that cannot be applied alone */
export function describeOptions(titles: readonly string[]): EditError {
  const message = "Not every option of the answer can be applied alone.";
  const named = titles.map((title) => JSON.stringify(title)).join(", ");
  const forModel = `${message} These cannot: ${named}. Nothing was changed. Send one complete change.`;
  return { code: "overlap", message, forModel };
}
