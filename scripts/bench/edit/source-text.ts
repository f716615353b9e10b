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
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)];
  const noun = (): string => pick(nouns) ?? "";
  const name = (): string => `${pick(verbs)}_${noun()}${pick(["", below(1000)])}`;
  const statements: readonly (() => string)[] = [
    () => `  const ${name()} = ${name()}(${noun()}, "${name()}");`,
    () => `  if (${name()} === undefined) return ${below(100)};`,
    () => `  for (const ${noun()} of ${name()}) {\n    ${name()}.push(${noun()});\n  }`,
    () => `  // First ${name()} and then ${name()}.`,
    () => "",
  ];
  const lines: string[] = [];
  while (lines.length < lineCount) {
    const body = Array.from({ length: 2 + below(8) }, () => pick(statements)?.() ?? "");
    const head = `export function ${name()}(${noun()}: string, limit = ${below(1000)}): number {`;
    const end = `  return ${name()}.length + limit;\n}\n`;
    const text = [`/** What a ${noun()} is to a ${noun()}. */`, head, ...body, end].join("\n");
    for (const line of text.split("\n")) lines.push(line);
  }
  return lines.slice(0, lineCount);
}
