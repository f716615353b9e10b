import { seededRandom } from "../../../test/helpers/seeded-random.ts";

const verbs = "read parse apply find merge build send check load print split join".split(" ");
const nouns =
  "line text unit edit range index token frame model answer prompt turn event chunk path folder".split(
    " ",
  );

/**
 * Lines of made-up source code, without line ends: functions of a few statements, calls, conditions,
 * comments, and empty and closing lines that repeat as they do in code.
 */
export function createSource(lineCount: number, seed: number): string[] {
  const random = seededRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = (words: readonly string[]): string => words[below(words.length)] ?? "";
  const noun = (): string => pick(nouns);
  const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const name = (): string => {
    const number = random() < 0.5 ? String(below(1000)) : "";
    return `${pick(verbs)}${upper(noun())}${number}`;
  };
  const statement = (): string[] => {
    const [left, right] = [name(), name()];
    const kind = random();
    if (kind < 0.4) return [`const ${left} = ${right}(${noun()}, "${name()}");`];
    if (kind < 0.55) return [`if (${left} === undefined) return ${below(100)};`];
    if (kind < 0.7)
      return [`for (const ${noun()} of ${left}) {`, `  ${right}.push(${noun()});`, "}"];
    if (kind < 0.85) return [`// ${upper(left)} comes before ${right}.`];
    return [kind < 0.95 ? `${left}.${pick(verbs)}(${right} - ${below(50)});` : ""];
  };
  const lines: string[] = [];
  while (lines.length < lineCount) {
    const own = name();
    const body = Array.from({ length: 2 + below(8) }, statement).flat();
    lines.push(
      `/** ${upper(pick(verbs))}s the ${noun()} of a ${noun()}. */`,
      `export function ${own}(${noun()}: string, limit = ${below(1000)}): number {`,
      ...body.map((line) => (line === "" ? "" : `  ${line}`)),
      `  return ${name()}.length + limit;`,
      "}",
      "",
    );
  }
  return lines.slice(0, lineCount);
}
