// Test cases on their way through prompts: `1. happy path: adds two prices`.

export interface TestCase {
  /** One sentence. */
  description: string;
  /** `happy path` or `edge case`, as the model was told to write. */
  category: string;
}

/** A case on its line: it has a number, or a category, or both. */
const casePattern =
  /^\s*(?=\d+[.)]\s|happy path:|edge case:)(?:\d+[.)]\s+)?(?:(?:happy path|edge case):)?/;

/** What a click on one case sends, or the button for all of them. */
export function printCases(cases: readonly TestCase[], mark: string): string {
  const lines = cases.map((item, nth) => {
    const number = cases.length === 1 ? "" : `${nth + 1}. `;
    return `${number}${item.category}: ${item.description}`;
  });
  return [mark, ...lines].join("\n");
}

export interface ListedCase {
  /** As it stands in the list. */
  line: string;
  /** Without number and category. */
  description: string;
}

/** Cases, and what a person has added. Text without cases says itself what is to be tested. */
export function readCases(prompt: string): { cases: ListedCase[]; others: string } {
  const cases: ListedCase[] = [];
  const others: string[] = [];
  for (const line of prompt.split("\n")) {
    const [opening] = casePattern.exec(line) ?? [];
    if (opening === undefined) others.push(line);
    else cases.push({ line: line.trim(), description: line.slice(opening.length).trim() });
  }
  return { cases, others: others.join("\n").trim() };
}
