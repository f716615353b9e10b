import type { Context } from "../context/context.ts";
import { referencesOf } from "../context/knowledge-base.ts";
import { estimateTokens } from "../context/tokens.ts";
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
 * the selection. The selection and the question always stay.
 *
 * @param used the variables that the templates read; leaving out others would save nothing
 * @param measure the cost in tokens of the prompt under a cut
 * @returns the mildest cut found, measured last, which may still not fit
 */
export function fitCut(
  context: Context,
  history: readonly ChatMessage[],
  used: ReadonlySet<string>,
  budget: number,
  measure: (cut: Cut) => number,
): { cut: Cut; tokens: number } {
  let cut = noCut;
  let tokens = measure(cut);
  if (tokens <= budget) return { cut, tokens };
  const droppables = listDroppables(context, history, used);
  const dropped = findFewest(droppables, tokens, budget, (count) =>
    measure(drop(droppables, count)),
  );
  cut = drop(droppables, dropped);
  tokens = measure(cut);
  for (const around of used.has("activeEditor") ? surroundings : []) {
    if (tokens <= budget) break;
    cut = { ...cut, around };
    tokens = measure(cut);
  }
  return { cut, tokens };
}

function listDroppables(
  context: Context,
  history: readonly ChatMessage[],
  used: ReadonlySet<string>,
): Droppable[] {
  const packageFiles = used.has("packageFiles") ? (context.packageFiles ?? []) : [];
  const bases = used.has("knowledgeBase") ? (context.knowledgeBase ?? []) : [];
  const weigh = (field: Droppable["field"], texts: readonly string[]): Droppable[] =>
    texts.map((text) => ({ field, weight: estimateTokens(text) + wrapping }));
  return [
    ...weigh("packageFiles", packageFiles.map((file) => file.content).toReversed()),
    ...weigh(
      "references",
      referencesOf(bases)
        .map((reference) => reference.chunk)
        .toReversed(),
    ),
    ...weigh(
      "history",
      history.map((message) => message.content),
    ),
  ];
}

/**
 * The fewest droppables, from the first, without which the prompt fits; all of them if none is
 * enough. Rendering ten thousand passages takes long, so the first guess goes by the weights.
 */
function findFewest(
  droppables: readonly Droppable[],
  tokens: number,
  budget: number,
  measure: (count: number) => number,
): number {
  const least = measure(droppables.length);
  if (least > budget) return droppables.length;
  const weight = droppables.reduce((sum, item) => sum + item.weight, 0);
  const share = ((tokens - budget) * weight) / (tokens - least);
  let guess = 0;
  for (let saved = 0; guess < droppables.length && saved < share; guess++) {
    saved += droppables[guess]?.weight ?? 0;
  }
  let [tooFew, enough] = [0, droppables.length];
  while (enough - tooFew > 1) {
    const count = Math.min(Math.max(guess, tooFew + 1), enough - 1);
    const cost = measure(count);
    if (cost > budget) tooFew = count;
    else enough = count;
    // Close to the budget is near enough among thousands; a few are told apart exactly.
    if (cost <= budget && (budget - cost < budget / 50 || count === tooFew + 1)) break;
    guess = Math.floor((tooFew + enough) / 2);
  }
  return enough;
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
