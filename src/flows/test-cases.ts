// Test cases on their way through prompts: `1. happy path: adds two prices`.

export interface TestCase {
  /** One sentence. */
  description: string;
  /** `happy path` or `edge case`, as the model was told to write. */
  category: string;
}

/** Of one case, without its number. */
const casePattern = /^\s*(?:\d+[.)]\s|(?:happy path|edge case):)/;

/** What a click on one case sends, or the button for all of them. */
export function printCases(cases: readonly TestCase[], mark: string): string {
  const lines = cases.map((item, nth) => {
    const number = cases.length === 1 ? "" : `${nth + 1}. `;
    return `${number}${item.category}: ${item.description}`;
  });
  return [mark, ...lines].join("\n");
}

/** Cases, and below them what a person has added. Text without cases says itself what is to be tested. */
export function readCases(prompt: string): { cases: string[]; others: string } {
  const lines = prompt.split("\n");
  const cases = lines.filter((line) => casePattern.test(line)).map((line) => line.trim());
  const others = lines.filter((line) => !casePattern.test(line));
  return { cases, others: others.join("\n").trim() };
}
