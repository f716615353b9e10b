import * as z from "zod";
import { CliError } from "../../src/cli/cli-error.ts";
import { Locale } from "../../src/base/errors/locale.ts";

/** What a person would expect of an answer. */
export type Expected =
  /** The editor's file as a change leaves it. */
  | { kind: "result"; text: string }
  /** Nothing is changed, and nothing offered; `atOnce`: and the model is not asked a second time. */
  | { kind: "refused"; atOnce: boolean }
  /** A tree to choose from; nothing is changed before. */
  | { kind: "asked" }
  /** `category` is absent where any will do. */
  | { kind: "cases"; cases: { description: string; category?: string }[] }
  | { kind: "file"; path: string; text: string };

/** An answer as a model of a family writes it, and what is expected of it. */
export interface AnswerCase {
  id: string;
  command: string;
  /** In the folder of files; the editor has it as `src/NAME`. */
  file: string;
  /** The dress that the answer has: `units`, `function`, `cases-table`, ... */
  form: string;
  family: string;
  language: Locale;
  /** The lines that are selected, 1-based and inclusive. */
  lines?: { startLine: number; endLine: number };
  /** The finish reason; `stop` if absent. */
  end?: "length" | "content_filter";
  packageFile?: { filepath: string; content: string };
  answer: string;
  /** What comes as reasoning before the answer. */
  reasoning?: string;
  /** The answer to a second question. */
  second?: string;
  expected: Expected;
}

const Head = z.tuple([
  z.string().regex(/^[a-z][a-z0-9-]*$/),
  z.enum(["fix", "optimize", "docstring", "unittest", "unittest-write"]),
  z.string(),
  z.string(),
  z.string(),
  Locale,
]);
const Options = z.strictObject({
  lines: z
    .string()
    .regex(/^\d+-\d+$/)
    .transform((text) => text.split("-").map(Number))
    .transform(([startLine = 1, endLine = 1]) => ({ startLine, endLine }))
    .optional(),
  end: z.enum(["length", "content_filter"]).optional(),
  package: z
    .string()
    .regex(/^[^:]+:./)
    .transform((text) => text.split(/:(.*)/))
    .transform(([filepath = "", content = ""]) => ({ filepath, content }))
    .optional(),
});

const mark = "%%% ";

/**
 * Reads the cases of one text, in the format of `test/fixtures/forms/README.md`.
 *
 * @param readResult the text of a file of results
 * @throws CliError naming the case that is not written so
 */
export function parseAnswerCases(text: string, readResult: (name: string) => string): AnswerCase[] {
  const cases: AnswerCase[] = [];
  let sections: Section[] = [];
  for (const section of splitSections(text)) {
    sections.push(section);
    if (section.words[0] !== "expect") continue;
    cases.push(toCase(sections, readResult));
    sections = [];
  }
  if (sections[0] !== undefined) throw misWritten(sections[0].head);
  return cases;
}

interface Section {
  /** The line of its mark. */
  head: string;
  words: string[];
  /** Ends with a line end unless it is empty. */
  body: string;
}

function splitSections(text: string): Section[] {
  const sections: Section[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    if (line.startsWith(mark)) {
      const head = line.slice(mark.length).trim();
      sections.push({ head, words: head.split(" "), body: "" });
      continue;
    }
    const last = sections.at(-1);
    if (last === undefined) throw misWritten(line);
    last.body += line;
  }
  return sections;
}

function toCase(
  [first, ...others]: readonly Section[],
  readResult: (name: string) => string,
): AnswerCase {
  const words = first?.words ?? [];
  const head = Head.safeParse(words.slice(0, 6));
  const named = words.slice(6).map((word) => word.split(/=(.*)/).slice(0, 2));
  const options = Options.safeParse(Object.fromEntries(named));
  const expected = others.at(-1);
  if (first === undefined || expected === undefined || !head.success || !options.success)
    throw misWritten(first?.head ?? "");
  const [id, command, file, form, family, language] = head.data;
  const { lines, end, package: packageFile } = options.data;
  const bodyOf = (name: string): string | undefined =>
    others.find((section) => section.words[0] === name)?.body;
  const [reasoning, second] = [bodyOf("reasoning"), bodyOf("second")];
  return {
    id,
    command,
    file,
    form,
    family,
    language,
    ...(lines === undefined ? {} : { lines }),
    ...(end === undefined ? {} : { end }),
    ...(packageFile === undefined ? {} : { packageFile }),
    answer: first.body,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(second === undefined ? {} : { second }),
    expected: toExpected(expected, readResult),
  };
}

function toExpected(
  { head, words: [, kind, name], body }: Section,
  readResult: (name: string) => string,
): Expected {
  if (kind === "asked") return { kind };
  if (kind === "refused") return { kind, atOnce: name === "at-once" };
  if (kind === "cases") return { kind, cases: body.trimEnd().split("\n").map(toTestCase) };
  if (kind === "result" && name !== undefined) return { kind, text: readResult(name) };
  if (kind === "file" && name !== undefined) return { kind, path: name, text: body };
  throw misWritten(head);
}

function toTestCase(line: string): { description: string; category?: string } {
  const [, category = "", description = ""] = /^(-|happy path:|edge case:) (.*)$/.exec(line) ?? [];
  if (description === "") throw misWritten(line);
  return category === "-" ? { description } : { description, category: category.slice(0, -1) };
}

function misWritten(line: string): CliError {
  return new CliError(
    `An answer is not in the expected format, at ${JSON.stringify(line.slice(0, 80))}.`,
  );
}
