import type { Problem } from "./context/context.ts";

/** What became of the context on its way into the prompt. Token counts are estimates. */
export interface ContextReceipt {
  command: string;
  /** The model that is asked, or the one of several that answers; absent where no model was. */
  model?: string;
  /** The tokens that the prompt may take: the window less the reserve for the answer. */
  budget?: number;
  /** The tokens that the prompt takes. */
  tokens?: number;
  /** The place that the question or a click names, and which of them: `names(), lines 3-9, from the question`. */
  place?: string;
  /** The variables that came, with what each weighs before any cut. */
  arrived: Record<string, number>;
  /** How many passages of the knowledge the prompt holds, the best ones. */
  passages?: number;
  /** What was left out to stay within the budget, in the order in which it was dropped. */
  cut?: string[];
  /** Variables that the command declares or its templates use, and that did not come; a likely name beside one that is perhaps misspelt. */
  missing?: string[];
  /** Variables with names that nobody documents; a likely name beside one that nobody asks for either. */
  unknown?: string[];
  /** Variables that came but that no template mentions. */
  unused?: string[];
  /** Files that an agent looked up for the request, and why each came. */
  files?: { path: string; why: string }[];
  /** Files that the request names as `@path` and that did not come along, and why. */
  leftOut?: { path: string; why: string }[];
  /** What came and could not be used, by its path in the request, and why. */
  dropped?: Problem[];
}
