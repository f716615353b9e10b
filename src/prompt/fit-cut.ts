import type { Context } from "../context/context.ts";
import { referencesOf } from "../context/knowledge-base.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import { type Cut, noCut } from "./scope.ts";

/** One kind of thing that can be left out, with what each costs, the first to go first. */
interface Droppable {
  field: "packageFiles" | "references" | "history";
  costs: number[];
}

/** How many lines around the selection are tried, the most first. */
const surroundings = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0];

/**
 * Finds how much must be left out so that the prompt fits, in the declared order: package files
 * from the last, knowledge from the lowest score, history from the oldest, then the lines around
 * the selection. The selection and the question always stay.
 *
 * @param used the variables that the templates read; leaving out others would save nothing
 * @param measure the cost in tokens of the prompt under a cut
 * @returns the mildest cut found, which may still not fit
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
  while (tokens > budget && droppables.some(({ costs }) => costs.length > 0)) {
    cut = drop(cut, droppables, tokens - budget);
    tokens = measure(cut);
  }
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
  const files = packageFiles.map((file) => estimateTokens(file.content));
  const passages = referencesOf(bases).map((reference) => estimateTokens(reference.chunk));
  return [
    { field: "packageFiles", costs: files.toReversed() },
    { field: "references", costs: passages.toReversed() },
    { field: "history", costs: history.map((message) => estimateTokens(message.content)) },
  ];
}

/** Drops from the front of the list until `tokens` are saved; takes what it drops off the list. */
function drop(cut: Cut, droppables: Droppable[], tokens: number): Cut {
  const next = { ...cut };
  let missing = tokens;
  for (const droppable of droppables) {
    while (missing > 0 && droppable.costs.length > 0) {
      missing -= droppable.costs.shift() ?? 0;
      next[droppable.field] = droppable.costs.length;
    }
  }
  return next;
}
