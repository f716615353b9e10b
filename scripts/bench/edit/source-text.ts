/** A generator of random numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
type Random = () => number;

function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const verbs = "read parse apply find merge build send check load print split join".split(" ");
const nouns =
  "line text unit edit range index token frame model answer prompt turn event chunk path folder".split(
    " ",
  );

/**
 * Lines of made-up source code, without line ends: functions of a few statements, calls, conditions,
 * comments, and blank and closing lines that repeat as they do in code.
 */
export function createSource(lineCount: number, seed: number): string[] {
  const random = createRandom(seed);
  const lines: string[] = [];
  while (lines.length < lineCount) lines.push(...createFunction(random));
  return lines.slice(0, lineCount);
}

function createFunction(random: Random): string[] {
  const name = createName(random);
  const statements = Array.from({ length: 2 + pickNumber(random, 8) }, () =>
    createStatement(random),
  );
  return [
    `/** ${capitalize(pick(random, verbs))}s the ${pick(random, nouns)} of a ${pick(random, nouns)}. */`,
    `export function ${name}(${pick(random, nouns)}: string, limit = ${pickNumber(random, 1000)}): number {`,
    ...statements.flat().map((line) => (line === "" ? "" : `  ${line}`)),
    `  return ${createName(random)}.length + limit;`,
    "}",
    "",
  ];
}

function createStatement(random: Random): string[] {
  const [left, right] = [createName(random), createName(random)];
  const kind = random();
  if (kind < 0.4)
    return [`const ${left} = ${right}(${pick(random, nouns)}, "${createName(random)}");`];
  if (kind < 0.55) return [`if (${left} === undefined) return ${pickNumber(random, 100)};`];
  if (kind < 0.7)
    return [
      `for (const ${pick(random, nouns)} of ${left}) {`,
      `  ${right}.push(${pick(random, nouns)});`,
      "}",
    ];
  if (kind < 0.85) return [`// ${capitalize(left)} comes before ${right}.`];
  if (kind < 0.95) return [`${left}.${pick(random, verbs)}(${right} - ${pickNumber(random, 50)});`];
  return [""];
}

function createName(random: Random): string {
  const number = random() < 0.5 ? String(pickNumber(random, 1000)) : "";
  return `${pick(random, verbs)}${capitalize(pick(random, nouns))}${number}`;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function pick(random: Random, words: readonly string[]): string {
  return words[pickNumber(random, words.length)] ?? "";
}

function pickNumber(random: Random, below: number): number {
  return Math.floor(random() * below);
}
