import { isFileName } from "../../turn/proposed-edit.ts";

/** A file of tests, as a model has written it. */
export interface TestFile {
  name: string;
  /** Ends with one line end. */
  text: string;
}

/**
 * The test file that an answer holds in the form that the prompt asks for: a line with nothing but its path in
 * backticks, then the one fenced block of the answer.
 *
 * @returns undefined where the answer is of another form
 */
export function readTestFile(answer: string): TestFile | undefined {
  const lines = answer.split(/\r?\n/);
  const start = lines.findIndex((line) => /^(?:`{3,}|~{3,})/.test(line));
  const rule = /^(?:`+|~+)/.exec(lines[start] ?? "")?.[0] ?? "";
  const isEnd = (line: string): boolean =>
    line.startsWith(rule) && /^(?:`{3,}|~{3,})\s*$/.test(line);
  const end = lines.findIndex((line, at) => at > start && isEnd(line));
  if (start === -1 || end === -1) return undefined;
  if (lines.slice(end + 1).some((line) => /^\s*(?:`{3,}|~{3,})/.test(line))) return undefined;
  const names = lines.slice(0, start).flatMap((line) => /^`([^`]+)`:?\s*$/.exec(line)?.[1] ?? []);
  const text = lines.slice(start + 1, end).join("\n");
  const [name, ...others] = names;
  if (name === undefined || others.length > 0 || text.trim() === "") return undefined;
  return isFileName(name) ? { name, text: `${text.trimEnd()}\n` } : undefined;
}
