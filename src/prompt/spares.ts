// What a prompt may lose where it is too large for the model.
import type { Context } from "../turn/context/context.ts";
import { type KnowledgeBase, referencesOf } from "../turn/context/knowledge-base.ts";
import { projectRulesOf } from "../turn/context/project-rules.ts";
import { estimateTokens } from "../turn/context/tokens.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import { estimateMessage } from "../turn/message-tokens.ts";
import type { Cut } from "./scope.ts";

/** Pieces that go one after the other. */
export interface SparePieces {
  kind: "pieces";
  /** Estimated tokens of each piece, in the order in which they go. */
  weigh(): readonly number[];
  /** The cut under which so many pieces are left. */
  leave(cut: Cut, count: number): Cut;
  /** What the receipt says of a cut; undefined if nothing of these went. */
  tell(cut: Cut): string | undefined;
}

/** A text that is narrowed to one of some sizes. */
export interface SpareText {
  kind: "text";
  /** The largest first. */
  sizes: readonly number[];
  leave(cut: Cut, size: number): Cut;
  tell(cut: Cut): string | undefined;
}

export type Spare = SparePieces | SpareText;

/** How many lines around the selection are tried, the most first. */
const surroundings = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0];

/** Of the tokens that a planned file may cost, what it gets in steps that become smaller. */
const shares = [...Array.from({ length: 20 }, (_, step) => 0.8 ** (step + 1)), 0];

/** A weight that stands for the heading and fence of a thing. */
const wrapping = 12;

/**
 * What may be left out of a prompt, in the documented order: package files from the last, knowledge
 * from the lowest score, history from the oldest, the rules of the project, then the lines around the selection. The selection
 * and the question are not among it.
 *
 * @param used the variables that the templates read; leaving out others would save nothing
 * @param fileTokens what a planned file may cost at most; without a plan, lines around the selection go
 */
export function listSpares(
  { packageFiles = [], knowledgeBase = [], others }: Context,
  history: readonly ChatMessage[],
  used: ReadonlySet<string>,
  fileTokens?: number,
): Spare[] {
  const spares: Spare[] = [];
  if (used.has("packageFiles")) {
    spares.push({
      kind: "pieces",
      weigh: () => weighTexts(packageFiles.map((file) => file.content).toReversed()),
      leave: (cut, count) => ({ ...cut, packageFiles: count }),
      tell: (cut) => tellCount("packageFiles", packageFiles.length, cut.packageFiles),
    });
  }
  if (used.has("knowledgeBase")) {
    spares.push({
      kind: "pieces",
      weigh: () => weighReferences(knowledgeBase),
      leave: (cut, count) => ({ ...cut, references: count }),
      tell: (cut) =>
        tellCount("knowledgeBase references", countReferences(knowledgeBase), cut.references),
    });
  }
  spares.push({
    kind: "pieces",
    weigh: () => weighMessages(history),
    leave: (cut, count) => ({ ...cut, history: count }),
    tell: (cut) => tellCount("history messages", history.length, cut.history),
  });
  const projectRules = projectRulesOf(others);
  if (projectRules !== undefined) {
    spares.push({
      kind: "pieces",
      weigh: () => weighTexts([projectRules.content]),
      leave: (cut, count) => ({ ...cut, projectRules: count }),
      tell: (cut) => tellCount("projectRules", 1, cut.projectRules),
    });
  }
  if (used.has("activeEditor") && fileTokens !== undefined) {
    spares.push({
      kind: "text",
      sizes: shares,
      leave: (cut, share) => ({ ...cut, file: Math.floor(fileTokens * share) }),
      // What of the file is shown is told in any case.
      tell: () => undefined,
    });
  } else if (used.has("activeEditor")) {
    spares.push({
      kind: "text",
      sizes: surroundings,
      leave: (cut, around) => ({ ...cut, around }),
      tell: ({ around }) =>
        Number.isFinite(around)
          ? `activeEditor: all but ${around} lines around the focus`
          : undefined,
    });
  }
  return spares;
}

export function countReferences(bases: KnowledgeBase): number {
  return bases.reduce((sum, base) => sum + (base.references?.length ?? 0), 0);
}

function weighTexts(texts: readonly string[]): number[] {
  return texts.map((text) => estimateTokens(text) + wrapping);
}

function weighMessages(messages: readonly ChatMessage[]): number[] {
  return messages.map((message) => estimateMessage(message) + wrapping);
}

function weighReferences(bases: KnowledgeBase): number[] {
  const references = referencesOf(bases);
  return weighTexts(references.map((reference) => reference.chunk).toReversed());
}

function tellCount(name: string, had: number, kept: number): string | undefined {
  return kept < had ? `${name}: ${had - kept} of ${had}` : undefined;
}
