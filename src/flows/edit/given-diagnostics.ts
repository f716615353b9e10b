import * as z from "zod";
import type { Turn } from "../../turn/turn.ts";

/** The platform documents no such variable; these are the shapes that editors have at hand. */
const Diagnostic = z.union([
  z.string().transform((message) => ({ line: undefined, message })),
  z
    .looseObject({ message: z.string(), line: z.int().min(1) })
    .transform(({ line, message }) => ({ line, message })),
  // Of the Language Server Protocol, which counts lines from 0.
  z
    .looseObject({
      message: z.string(),
      range: z.looseObject({ start: z.looseObject({ line: z.int().min(0) }) }),
    })
    .transform(({ range, message }) => ({ line: range.start.line + 1, message })),
  z.looseObject({ message: z.string() }).transform(({ message }) => ({ line: undefined, message })),
]);
const Diagnostics = z.union([z.string().transform((text) => [text]), z.array(z.unknown())]);

const maxDiagnostics = 50;
const maxMessage = 500;

/**
 * What the editor reports, if the request brings a variable `diagnostics`: a text, or a list of texts, of
 * `{ line, message }` (from 1), or of diagnostics of the Language Server Protocol.
 *
 * @param print a fault at a line of the file
 * @returns a line each; what cannot be read is left out
 */
export function givenDiagnostics(
  { context }: Turn,
  print: (line: number, message: string) => string,
): string[] {
  const list = Diagnostics.safeParse(context.others.get("diagnostics")).data ?? [];
  return list.slice(0, maxDiagnostics).flatMap((item) => {
    const read = Diagnostic.safeParse(item).data;
    if (read === undefined) return [];
    const message = read.message.slice(0, maxMessage);
    return [read.line === undefined ? message : print(read.line, message)];
  });
}
