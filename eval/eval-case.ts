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

/** A row of `context.json`. */
export const ListedContext = z.strictObject({
  /** In `context/`. */
  file: z.string(),
  /** The function that is selected. */
  symbol: z.string(),
  command: z.enum(evalCommands),
  /** What the prompt has to hold of the file, all more than 40 lines away from the function. */
  holds: z.array(Pattern),
});
export type ListedContext = z.output<typeof ListedContext>;

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
  /** What the prompt has to hold of the file. */
  holds?: readonly RegExp[];
  /** Instead of the setting of that name: so many tokens of the file go into the prompt unasked. */
  maxFileTokens?: number;
}
