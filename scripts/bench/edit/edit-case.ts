import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";

/** One case of an edit corpus: a file, a diff for it, and what has to become of both. */
const EditCase = z.looseObject({
  id: z.string(),
  /** The class: what is special about the diff, such as `crlf-file`. */
  cls: z.string(),
  before: z.string(),
  diff: z.string(),
  /** `either`: the text of `after`, or a refusal. */
  want: z.enum(["apply", "refuse", "either"]),
  after: z.string().nullish(),
  /** Texts that are right though a refusal is wanted. */
  allow: z.array(z.string()).nullish(),
});
export type EditCase = z.infer<typeof EditCase>;

/**
 * Reads a corpus of JSON lines, packed with gzip if its name ends with `.gz`.
 *
 * @throws Error that names the file and the line that is no case, or a file without any case
 */
export function readCorpus(path: string): EditCase[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const cases = text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const parsed = EditCase.safeParse(parseJson(line));
    if (parsed.success) return [parsed.data];
    throw new Error(`${path}, line ${at + 1} is no case: ${z.prettifyError(parsed.error)}`);
  });
  if (cases.length === 0) throw new Error(`${path} holds no case.`);
  return cases;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
