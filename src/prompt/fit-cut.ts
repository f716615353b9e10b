import type { Context } from "../context/context.ts";
import { sortReferences } from "../context/knowledge-base.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Steps } from "../edit/steps.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import { type Cut, noCut } from "./scope.ts";

/** One thing that can be left out, with its weight; what it saves is found by measuring. */
interface Droppable {
  field: "packageFiles" | "references" | "history";
  weight: number;
}

/** How many lines around the selection are tried, the most first. */
const surroundings = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0];

/** A weight that stands for the heading and fence of a thing. */
const wrapping = 12;

/**
 * Finds how much must be left out so that the prompt fits, in the declared order: package files
 * from the last, knowledge from the lowest score, history from the oldest, then the lines around
 * the selection. The selection and the question always stay. Pauses between the measurements.
 *
 * @param used the variables that the templates read; leaving out others would save nothing
 * @param measure the prompt under a cut, with its cost in tokens
 * @returns the mildest cut found with what was measured of it, which may still not fit
 */
export function* fitCut<Measured extends { tokens: number }>(
  context: Context,
  history: readonly ChatMessage[],
  used: ReadonlySet<string>,
  budget: number,
  measure: (cut: Cut) => Steps<Measured>,
): Steps<{ cut: Cut; measured: Measured }> {
  const whole = { cut: noCut, measured: yield* measure(noCut) };
  if (whole.measured.tokens <= budget) return whole;
  const droppables = yield* listDroppables(context, history, used);
  const dropped = yield* findFewest(droppables, whole, budget, measure);
  if (dropped.measured.tokens <= budget || !used.has("activeEditor")) return dropped;
  return yield* findMost(surroundings, budget, (around) => ({ ...dropped.cut, around }), measure);
}

function* listDroppables(
  context: Context,
  history: readonly ChatMessage[],
  used: ReadonlySet<string>,
): Steps<Droppable[]> {
  const packageFiles = used.has("packageFiles") ? (context.packageFiles ?? []) : [];
  const bases = used.has("knowledgeBase") ? (context.knowledgeBase ?? []) : [];
  const references = yield* sortReferences(bases);
  const weigh = (field: Droppable["field"], texts: readonly string[]): Droppable[] =>
    texts.map((text) => ({ field, weight: estimateTokens(text) + wrapping }));
  return [
    ...weigh("packageFiles", packageFiles.map((file) => file.content).toReversed()),
    ...weigh("references", references.map((reference) => reference.chunk).toReversed()),
    ...weigh(
      "history",
      history.map((message) => message.content),
    ),
  ];
}

/** A cut, and the prompt under it. */
interface Tried<Measured> {
  cut: Cut;
  measured: Measured;
}

function* tryCut<Measured>(
  cut: Cut,
  measure: (cut: Cut) => Steps<Measured>,
): Steps<Tried<Measured>> {
  yield;
  return { cut, measured: yield* measure(cut) };
}

/**
 * The fewest droppables, from the first, without which the prompt fits; all of them if none is
 * enough. Rendering ten thousand passages takes long, so the first guess goes by the weights.
 */
function* findFewest<Measured extends { tokens: number }>(
  droppables: readonly Droppable[],
  whole: Tried<Measured>,
  budget: number,
  measure: (cut: Cut) => Steps<Measured>,
): Steps<Tried<Measured>> {
  if (droppables.length === 0) return whole;
  const leaveOut = (count: number): Steps<Tried<Measured>> =>
    tryCut(drop(droppables, count), measure);
  let enough = { count: droppables.length, ...(yield* leaveOut(droppables.length)) };
  const least = enough.measured.tokens;
  if (least > budget) return enough;
  const { tokens } = whole.measured;
  const weight = droppables.reduce((sum, item) => sum + item.weight, 0);
  const share = ((tokens - budget) * weight) / (tokens - least);
  let guess = 0;
  for (let saved = 0; guess < droppables.length && saved < share; guess++) {
    saved += droppables[guess]?.weight ?? 0;
  }
  let tooFew = 0;
  while (enough.count - tooFew > 1) {
    const count = Math.min(Math.max(guess, tooFew + 1), enough.count - 1);
    const tried = yield* leaveOut(count);
    const cost = tried.measured.tokens;
    if (cost > budget) tooFew = count;
    else enough = { count, ...tried };
    // Close to the budget is near enough among thousands; a few are told apart exactly.
    if (cost <= budget && (budget - cost < budget / 50 || count === tooFew + 1)) break;
    guess = Math.floor((tooFew + enough.count) / 2);
  }
  return enough;
}

/** The first size, the largest first, under which the prompt fits; the last if none is small enough. */
function* findMost<Measured extends { tokens: number }>(
  sizes: readonly number[],
  budget: number,
  toCut: (size: number) => Cut,
  measure: (cut: Cut) => Steps<Measured>,
): Steps<Tried<Measured>> {
  const take = (index: number): Steps<Tried<Measured>> => tryCut(toCut(sizes[index] ?? 0), measure);
  let [tooLarge, fits] = [-1, sizes.length - 1];
  // The smallest comes first: often it is too large as well, and then nothing else helps.
  let found = yield* take(fits);
  if (found.measured.tokens > budget) return found;
  while (fits - tooLarge > 1) {
    const middle = Math.floor((tooLarge + fits) / 2);
    const tried = yield* take(middle);
    if (tried.measured.tokens > budget) tooLarge = middle;
    else [fits, found] = [middle, tried];
  }
  return found;
}

/** The cut that leaves out the first `count` droppables. */
function drop(droppables: readonly Droppable[], count: number): Cut {
  const cut = { ...noCut };
  const left = droppables.slice(count);
  for (const { field } of droppables.slice(0, count)) {
    if (!Number.isFinite(cut[field]))
      cut[field] = left.filter((item) => item.field === field).length;
  }
  return cut;
}
