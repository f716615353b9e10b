import * as z from "zod";

/** The commands that edit a file or yield something that a program can check. */
export const evalCommands = [
  "explain",
  "fix",
  "optimize",
  "docstring",
  "unittest",
  "unittest-write",
] as const;
export type EvalCommand = (typeof evalCommands)[number];

// oxlint-disable-next-line patterns/no-built-pattern -- the cases are our own files.
const Pattern = z.string().transform((source) => new RegExp(source));

/** A known fault: when it has gone, no pattern of `gone` is left in the code, and all of `needs` are there. */
const Defect = z.object({
  gone: z.array(Pattern).default([]),
  needs: z.array(Pattern).default([]),
});
type Defect = z.output<typeof Defect>;

/** A row of `cases.json`. */
export const ListedCase = z.strictObject({
  /** In `defects/`. */
  file: z.string(),
  /** The function that is selected. */
  symbol: z.string(),
  command: z.enum(evalCommands),
  prompt: z.string().optional(),
  defect: Defect.optional(),
  /** One right answer, which proves that the patterns can be satisfied. */
  repair: z.object({ search: z.string(), replace: z.string() }).optional(),
  /** The rules of the offline model know the fault. */
  mendedOffline: z.boolean().optional(),
});
export type ListedCase = z.output<typeof ListedCase>;

/** One question to the agent. */
export interface EvalCase {
  command: EvalCommand;
  /** As the request names it: `src/cart.ts`. */
  path: string;
  content: string;
  /** The function that is selected; absent: one that has parameters and no doc comment. */
  symbol?: string | undefined;
  prompt?: string | undefined;
  defect?: Defect | undefined;
}
