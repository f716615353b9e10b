import { findTestBlocks } from "./file/test-blocks.ts";
import { joinTests, type JoinOptions } from "./file/join-tests.ts";
import type { TestedFile } from "./file/test-path.ts";

/** A file of tests, as a model has written it. */
export interface TestFile {
  name: string;
  /** Ends with one line end. */
  text: string;
}

const unknown: TestedFile = { path: "", text: "", testPath: "" };

/**
 * The test file that an answer holds in its one block of code, beside which commands and settings may stand.
 * Its path is the one on the line above, in the fence, in the first line of the code, or in a sentence; else the
 * one of the project's convention.
 *
 * @returns undefined where the block or the path is not clear
 */
export function readTestFile(answer: string, tested: TestedFile = unknown): TestFile | undefined {
  const found = findTestBlocks(answer, tested);
  const [text, ...others] = found?.texts ?? [];
  if (found === undefined || text === undefined || others.length > 0) return undefined;
  return { name: found.name, text };
}

/** As {@link readTestFile}; also of several blocks that together are one file. */
export async function readTests(
  answer: string,
  tested: TestedFile,
  options: JoinOptions,
): Promise<TestFile | undefined> {
  const found = findTestBlocks(answer, tested);
  if (found === undefined) return undefined;
  const { name, texts } = found;
  const text = texts.length > 1 ? await joinTests(texts, options) : texts[0];
  return text === undefined ? undefined : { name, text };
}
