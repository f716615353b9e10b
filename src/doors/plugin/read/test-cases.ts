import { readCases } from "../../../flows/click/case-prompt.ts";
import { parseCases } from "../../../flows/test/ask-for-cases.ts";
import type { Slices } from "../../../turn/slices.ts";

/**
 * The cases of `test_cases_str` as the flow reads them, a line each: they may be our own list, edited or not,
 * JSON, another list, or plain words, which say themselves what to test.
 */
export async function readTestCases(
  text: string,
  slices: Slices,
  signal: AbortSignal,
): Promise<string> {
  const plain = text.trim();
  if (!/^[[{`]/.test(plain)) {
    const { cases } = await slices.run("cases", readCases(plain), signal);
    if (cases.length > 0) return plain;
  }
  const parsed = parseCases(plain);
  if (!("cases" in parsed)) return plain;
  const lines = parsed.cases.map(
    ({ category, description }, nth) =>
      `${nth + 1}. ${category === "" ? "" : `${category}: `}${description}`,
  );
  return lines.join("\n");
}
