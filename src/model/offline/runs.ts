/**
 * Where a run of numbers begins in a list, overlapping places included, in linear time whatever the list
 * (Knuth, Morris, Pratt).
 *
 * @param run at least one number
 */
export function findRuns(list: readonly number[], run: readonly number[]): number[] {
  const shorter = shorterMatches(run);
  const found: number[] = [];
  let matched = 0;
  for (let index = 0; index < list.length; index += 1) {
    const number = list[index];
    while (matched > 0 && run[matched] !== number) matched = shorter[matched - 1] ?? 0;
    if (run[matched] === number) matched += 1;
    if (matched === run.length) found.push(index + 1 - matched);
  }
  return found;
}

/** Of each beginning of the run, the longest one that also ends it. */
function shorterMatches(run: readonly number[]): number[] {
  const shorter = [0];
  let matched = 0;
  for (const number of run.slice(1)) {
    while (matched > 0 && run[matched] !== number) matched = shorter[matched - 1] ?? 0;
    if (run[matched] === number) matched += 1;
    shorter.push(matched);
  }
  return shorter;
}
