// Lines of the file that words move to another place, and no code shows there: "move `x` up, before the `y` line".
import { isSolid, joinLines, linesOf, trimEndSigns } from "../../../base/text/lines.ts";
import { findDamage } from "../../../code/symbols.ts";
import {
  headlinesAbove,
  isCloser,
  isEven,
  sourceLines,
  type SourceLines,
  unitEnd,
} from "../../../edit/align/source-lines.ts";
import type { TextLine } from "../../../edit/read/blocks/quoted-sentences.ts";
import {
  asksForChange,
  isHead,
  leavesToPerson,
  ordersIn,
  scopeOf,
  sentencesOf,
  takesBack,
} from "../../../edit/read/blocks/told-words.ts";
import type { CodeBlock } from "../../../edit/read/file-edit.ts";
import type { EditScene } from "../show-edit.ts";
import { analyzeText } from "./apply-code.ts";
import { placeAsTold } from "./told-place.ts";
import { isAllOf, type Region, RegionReader, startsWith } from "./told-region.ts";
import { hasPlace, isPlaced, readOrder, thingsIn, type Words } from "./told-things.ts";

interface Move {
  code: string;
  /** As they would put new code there. */
  words: Words;
  /** The line before it, with which it changes places. */
  swapped: string | undefined;
}

/** The text with what is moved at its new place, and the blocks that show it; as it is where one move is not clear. */
export async function moveAsTold(
  scene: EditScene,
  text: string,
  said: readonly TextLine[],
  blocks: readonly CodeBlock[],
): Promise<{ text: string; moved: ReadonlySet<CodeBlock> }> {
  const none = { text, moved: new Set<CodeBlock>() };
  const leads = new Set(blocks.map(({ above }) => above));
  const sentences = said
    .filter((one) => !leads.has(one.text))
    .flatMap((one) => sentencesOf(one.text).map((sentence) => ({ ...one, text: sentence })));
  const moves: Move[] = [];
  for (const [nth, sentence] of sentences.entries()) {
    const move = readMove(sentence.text);
    const head = said.findLast((one) => one.line < sentence.line && isHead(one.text))?.text ?? "";
    const isLeft = leavesToPerson(head) || takesBack(sentences[nth + 1]?.text ?? "");
    if (move === undefined && blocks.length === 0 && asksForChange(sentence.text)) return none;
    const isShown = blocks.some(({ code }) => code.includes(move?.code ?? ""));
    if (move !== undefined && !isLeft && !isShown) moves.push(move);
  }
  const moved = new Set<CodeBlock>();
  for (const block of blocks) {
    const [below = ""] = sentencesOf(block.below ?? "");
    const lead = trimEndSigns(sentencesOf(block.above).at(-1) ?? "", ":： ");
    const move = readMove(`${lead} \`${shown}\` ${below}`);
    if (move?.code !== shown) continue;
    moves.push({ ...move, code: block.code });
    moved.add(block);
  }
  let after = text;
  for (const move of moves) {
    const next = await moveOne(scene, after, move);
    if (next === undefined) return none;
    after = next;
  }
  return { text: after, moved };
}

/** In place of code that a block shows. */
const shown = "\uE001";

const told = [
  /^(?<lead>.*?)\bmove (?:(?:the|this|that|these|your|existing|entire|whole|following|lines?|statement|call|assignment|block|two|three) )*`(?<code>[^`]+)`(?<to>.*)/i,
  /^(?<lead>.*?)\bswap(?:ped)?\b[^`]*`(?<code>[^`]+)` (?:comes|goes|runs|is) first,? (?:and|then) (?<to>`[^`]+`) (?:(?:comes|goes|runs|is) )?(?:second|next|last)\b/i,
  /^(?<lead>.*?)(?:请|应该?|需要?|可以)?[把将][^`，。；]{0,12}`(?<code>[^`]+)`(?<from>[^，。；]*?)[上下前后]?(?:移|挪|搬|提|放)动?[到至](?<to>.*)/,
];
const leadsToOrder =
  /(?:^|[,.:;)*–—，：；-]|\b(?:and|then|please|so|just|simply|also|instead|to|be|should|must)|所以|因此|建议)$/i;
const departure =
  /\b(?:from|out of)\b(?:`[^`]*`|[^`])*?(?=,? (?:to|into|above|below|before|after|right|directly|immediately)\b)/i;
const edge = /\b(?:end|bottom|beginning|start|top) of\b|[末结开][尾头]/;
const ownEdge = /\b(?:its|the) (?:very )?(beginning|start|top|end|bottom)\b(?! of)/i;
const ownEdgeZh = /^ ?(?:其|它的?)?最?(?=[开末结][头尾])/;
/** What is told behind a place says why. */
const why =
  /,? (?:so|such)(?: that)?,? |,? \b(?:because|since|otherwise|which)\b|[,，；;] ?(?:这样|以便|否则|以免|因为|从而|避免|让|使)/i;
const comesThere =
  /^(?:it|this|that|they)(?: now)? (?:comes?|goes?|is|are|runs?|stands?|sits?|happens?|executes?)\b/i;
/** More than a move is asked for. */
const further =
  /\b(?:and|but|then|(?<!\()with)\b(?! (?:(?:the|right|directly|before|after|above|below) )*`)|并|同时|再|改/i;

/** In characters: a longer sentence moves nothing. */
const maxSentence = 2_500;

function readMove(sentence: string): Move | undefined {
  if (sentence.length > maxSentence) return undefined;
  const { groups } = told.map((one) => one.exec(sentence)).find((one) => one !== null) ?? {};
  const { lead = "", code = "", from: fromZh, to = "" } = groups ?? {};
  if (code === "" || !leadsToOrder.test(lead.trimEnd())) return undefined;
  const [from = fromZh ?? ""] = departure.exec(to) ?? [];
  const isSwap = to.startsWith("`") && fromZh === undefined;
  const [first = "", ...reasons] = (isSwap ? ` before ${to}` : to.replace(departure, "")).split(
    why,
  );
  const isPlace = hasPlace({ things: thingsIn(`Add this${first}:`) });
  const place = isPlace ? first : (reasons.find((one) => comesThere.test(one)) ?? first);
  const name = scopeOf(lead, []) ?? (edge.test(from) ? scopeOf(from, []) : undefined);
  const where = trimEndSigns(
    name === undefined
      ? place
      : place.replace(ownEdge, `the $1 of \`${name}\``).replace(ownEdgeZh, `\`${name}\` 的`),
    " .。",
  );
  const above = fromZh === undefined ? `Add this ${where.trim()}:` : `把这段代码加到${where}：`;
  const order = lead.replaceAll(/\beven (?:when|if|though)\b[^,]*,?/gi, "") + above;
  const isMore = further.test(to.replaceAll(/`[^`]*`/g, "`"));
  if (isMore || ordersIn(order).length !== sentencesOf(order).length) return undefined;
  const swapped = isSwap ? to.slice(1, -1) : undefined;
  const inside = name === undefined ? "" : `In \`${name}\`.`;
  return { code, words: { above, lead: inside, isMoved: true }, swapped };
}

/** The text with one move made; undefined where it is not clear what is meant, or where it comes. */
async function moveOne(
  scene: EditScene,
  text: string,
  { code, words, swapped }: Move,
): Promise<string | undefined> {
  const was = await analyzeText(scene, text);
  const source = sourceLines(linesOf(text));
  const { order } = readOrder(words) ?? {};
  const places = order?.things.filter((one) => isPlaced(one) && one.relation !== "in") ?? [];
  const isNew = places.some(({ relation }) => relation === "replace" || relation === "from");
  if (places.length === 0 || isNew) return undefined;
  const reader = new RegionReader(source, was);
  const scope = reader.scopeOf(thingsIn(words.lead ?? ""), [], scene.within);
  const region = regionOf(source, code, scope, words.lead !== "");
  if (region === undefined) return undefined;
  const above = source.texts[region.from - 1] ?? "";
  const isBehind = swapped === undefined || isAllOf(above, swapped);
  if (!isBehind || headlinesAbove(source, region.from) !== region.from) return undefined;
  const { all } = source;
  const isEmpty = (at: number): boolean => all[at] !== undefined && !isSolid(all[at]);
  let [from, to] = [source.numbers[region.from] ?? 0, (source.numbers[region.to - 1] ?? 0) + 1];
  const own = all.slice(from, to);
  // Of the empty lines around it one goes with it.
  const next = (all[to] ?? "").trim();
  if (isEmpty(from - 1) && (next === "" || isCloser(next))) from -= 1;
  else if (isEmpty(to) && /[{([:]$/.test(above)) to += 1;
  const rest = joinLines(all.toSpliced(from, to - from));
  const shift = (line: number): number => line - Math.max(0, Math.min(line, to) - from);
  const { startLine, endLine } = scene.within ?? { startLine: 1, endLine: all.length };
  const within = scene.within && { startLine: shift(startLine - 1) + 1, endLine: shift(endLine) };
  const after = placeAsTold(rest, joinLines(own), words, await analyzeText(scene, rest), within);
  if (typeof after !== "string" || after === text) return undefined;
  return findDamage(was, await analyzeText(scene, after), false) === undefined ? after : undefined;
}

/** The one place, of several the one in the scope, of lines, or of what begins with the only one that is quoted. */
function regionOf(
  source: SourceLines,
  code: string,
  scope: Region | undefined,
  isInside: boolean,
): Region | undefined {
  const { texts, columns } = source;
  const own = linesOf(code).filter(isSolid);
  const begin = (own[0] ?? "").replace(/(?:\.{3}|…)$/, "").trim();
  // What is whole ends there, also before a line that seems to go on.
  const endOf = (from: number): number =>
    isEven([texts[from] ?? ""]) && (columns[from + 1] ?? 0) <= (columns[from] ?? 0)
      ? from + 1
      : unitEnd(source, from);
  const find = (isSame: (line: string, nth: number) => boolean): Region[] =>
    texts.flatMap((_, from): Region | [] =>
      own.every((_line, nth) => isSame(texts[from + nth] ?? "", nth))
        ? { from, to: own.length > 1 ? from + own.length : endOf(from) }
        : [],
    );
  const exact = find((line, nth) => isAllOf(line, own[nth] ?? ""));
  const isBegun = exact.length + own.length === 1 && /[\s(]/.test(begin);
  const all = isBegun ? find((line) => startsWith(line, begin)) : exact;
  const inside = all.filter(({ from, to }) => scope && from >= scope.from && to <= scope.to);
  const [only, ...more] = isInside || all.length > 1 ? inside : all;
  return more.length === 0 && own.length > 0 ? only : undefined;
}
