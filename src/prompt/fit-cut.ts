import { type Cut, noCut } from "./scope.ts";
import type { Spare, SparePieces, SpareText } from "./spares.ts";

/** A cut, and the prompt under it. */
interface Tried<Measured> {
  cut: Cut;
  measured: Measured;
}

/**
 * Finds how much must be left out so that the prompt fits. A spare is touched only when nothing is left
 * of those before it.
 *
 * @param spares what may be left out, in the order in which it goes
 * @param budget in tokens
 * @param measure the prompt under a cut, with its cost in tokens
 * @returns the mildest cut found with what was measured of it, which may still not fit
 */
export function fitCut<Measured extends { tokens: number }>(
  spares: readonly Spare[],
  budget: number,
  measure: (cut: Cut) => Measured,
): Tried<Measured> {
  let found: Tried<Measured> = { cut: noCut, measured: measure(noCut) };
  for (let at = 0; at < spares.length && found.measured.tokens > budget;) {
    const spare = spares[at];
    // Pieces that stand together are searched together: each measurement is a whole rendering.
    const pieces = takePieces(spares, at);
    if (spare?.kind === "text") found = findMost(spare, found.cut, budget, measure);
    else found = findFewest(weighAll(pieces), found, budget, measure);
    at += Math.max(pieces.length, 1);
  }
  return found;
}

/** The pieces that stand together from `at` on. */
function takePieces(spares: readonly Spare[], at: number): SparePieces[] {
  const pieces: SparePieces[] = [];
  for (const spare of spares.slice(at)) {
    if (spare.kind !== "pieces") break;
    pieces.push(spare);
  }
  return pieces;
}

interface Weighed {
  spare: SparePieces;
  weights: readonly number[];
}

function weighAll(pieces: readonly SparePieces[]): Weighed[] {
  const weighed: Weighed[] = [];
  for (const spare of pieces) weighed.push({ spare, weights: spare.weigh() });
  return weighed;
}

function tryCut<Measured>(cut: Cut, measure: (cut: Cut) => Measured): Tried<Measured> {
  return { cut, measured: measure(cut) };
}

/**
 * The fewest pieces, from the first, without which the prompt fits; all of them if none is
 * enough. Rendering ten thousand passages takes long, so the first guess goes by the weights.
 */
function findFewest<Measured extends { tokens: number }>(
  weighed: readonly Weighed[],
  whole: Tried<Measured>,
  budget: number,
  measure: (cut: Cut) => Measured,
): Tried<Measured> {
  const all = weighed.flatMap(({ weights }) => weights);
  if (all.length === 0) return whole;
  const leaveOut = (count: number): Tried<Measured> =>
    tryCut(drop(weighed, whole.cut, count), measure);
  let enough = { count: all.length, ...leaveOut(all.length) };
  const least = enough.measured.tokens;
  if (least > budget) return enough;
  const { tokens } = whole.measured;
  const weight = all.reduce((sum, item) => sum + item, 0);
  const share = ((tokens - budget) * weight) / (tokens - least);
  let guess = 0;
  for (let saved = 0; guess < all.length && saved < share; guess++) saved += all[guess] ?? 0;
  let tooFew = 0;
  while (enough.count - tooFew > 1) {
    const count = Math.min(Math.max(guess, tooFew + 1), enough.count - 1);
    const tried = leaveOut(count);
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
function findMost<Measured extends { tokens: number }>(
  spare: SpareText,
  base: Cut,
  budget: number,
  measure: (cut: Cut) => Measured,
): Tried<Measured> {
  const take = (index: number): Tried<Measured> =>
    tryCut(spare.leave(base, spare.sizes[index] ?? 0), measure);
  let [tooLarge, fits] = [-1, spare.sizes.length - 1];
  // The smallest comes first: often it is too large as well, and then nothing else helps.
  let found = take(fits);
  if (found.measured.tokens > budget) return found;
  while (fits - tooLarge > 1) {
    const middle = Math.floor((tooLarge + fits) / 2);
    const tried = take(middle);
    if (tried.measured.tokens > budget) tooLarge = middle;
    else [fits, found] = [middle, tried];
  }
  return found;
}

/** The cut that leaves out the first `count` pieces. */
function drop(weighed: readonly Weighed[], base: Cut, count: number): Cut {
  let cut = base;
  let left = count;
  for (const { spare, weights } of weighed) {
    const gone = Math.min(left, weights.length);
    if (gone > 0) cut = spare.leave(cut, weights.length - gone);
    left -= gone;
  }
  return cut;
}
