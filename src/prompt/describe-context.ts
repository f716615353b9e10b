// What became of the context: the receipt that goes to the client.
import type { Context, DroppedValue, Problem } from "../turn/context/context.ts";
import {
  type KnowledgeBase,
  type VariableKind,
  isVariableName,
  variableNames,
  variables,
} from "../turn/context/variables.ts";
import { suggestName } from "../base/errors/names.ts";
import { collectedBy, findCommand } from "../turn/agent-definition.ts";
import type { ContextReceipt } from "../turn/turn-event.ts";
import type { Turn } from "../turn/turn.ts";
import { type Cut, factNames } from "./scope.ts";
import type { ChatMessage } from "../turn/chat-message.ts";

/** Names and other entries that one field of a receipt lists. */
const maxNames = 20;
/** Variables that come before the question, whatever the templates read. */
const alwaysUsed = ["globalPrompts", "projectRules"];

export function describeContext(turn: Turn): ContextReceipt {
  const declared = collectedBy(findCommand(turn.definition, turn.command));
  const { unused: _, ...receipt } = describeArrived(turn, new Set(), declared);
  return receipt;
}

/**
 * What came, what did not, and what nobody read.
 *
 * @param used names that templates read
 * @param declared variables that the command collects
 * @param shown variables that reach the templates inside of facts
 */
export function describeArrived(
  turn: Turn,
  used: ReadonlySet<string>,
  declared: ReadonlyMap<string, unknown>,
  shown: readonly string[] = [],
): ContextReceipt {
  const { context } = turn;
  const arrived: Record<string, number> = {};
  for (const name of variableNames) {
    // Each kind weighs what its own schema accepted.
    if (context[name] !== undefined)
      arrived[name] = (variables[name] as VariableKind).cost(context[name]);
  }
  const unknown = [...context.others.keys()];
  // Those that somebody asks for by their names are not misspelt.
  const unread = unknown.filter((name) => !used.has(name) && !declared.has(name));
  const missing: string[] = [];
  for (const name of new Set([...declared.keys(), ...used])) {
    const isThere = arrived[name] !== undefined || context.others.has(name);
    if (!isThere && missing.length < maxNames && !factNames.has(name))
      missing.push(nameMissing(name, context, unread));
  }
  const unused: string[] = [];
  for (const name in arrived)
    if (![...used, ...shown, ...alwaysUsed].includes(name)) unused.push(name);
  return {
    command: turn.command,
    ...(turn.namedPlace === undefined ? {} : { place: turn.namedPlace }),
    ...(turn.isFileChanged === true ? { isFileChanged: true } : {}),
    arrived,
    ...(missing.length > 0 ? { missing } : {}),
    ...(unknown.length > 0 ? { unknown: nameUnknown(unknown, unread) } : {}),
    ...(unused.length > 0 ? { unused } : {}),
    ...(context.dropped ? { dropped: tellDropped(context.dropped) } : {}),
  };
}

function tellDropped(dropped: readonly DroppedValue[]): Problem[] {
  const told = dropped.slice(0, maxNames).map(({ path, message }) => ({ path, message }));
  const others = dropped.slice(maxNames);
  const [next] = others;
  if (next !== undefined) told.push({ path: next.path, message: `and ${others.length} more` });
  return told;
}

/**
 * A name that nobody documents is perhaps misspelt, and a known one perhaps came under a misspelt name.
 *
 * @param unread names that came and that nobody asks for
 */
function nameMissing(name: string, { others }: Context, unread: readonly string[]): string {
  const isKnown = isVariableName(name);
  const known = isKnown ? unread : [...variableNames, ...others.keys()];
  const near = suggestName(name, known);
  if (near === undefined) return name;
  return isKnown ? `${name} (is ${near} meant for it?)` : `${name} (did you mean ${near}?)`;
}

function nameUnknown(unknown: readonly string[], unread: readonly string[]): string[] {
  return unknown.slice(0, maxNames).map((name) => {
    const near = unread.includes(name) ? suggestName(name, variableNames) : undefined;
    return near === undefined ? name : `${name} (did you mean ${near}?)`;
  });
}

// What a prompt may lose where it is too large for the model.

/** Something that goes step by step: pieces one after the other, or a text that becomes narrower. */
export interface Spare {
  readonly steps: number;
  /** The cut after so many steps, at least one. */
  leave(cut: Cut, steps: number): Cut;
  /** What the receipt says of a cut; undefined if nothing of this went, or it is told elsewhere. */
  tell(cut: Cut): string | undefined;
}

/** How many lines around the selection are tried, the most first. */
const surroundings = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0];

/** Of the tokens that a planned file may cost, what it gets in steps that become smaller. */
const shares = [...Array.from({ length: 20 }, (_, step) => 0.8 ** (step + 1)), 0];

/**
 * What may be left out of a prompt, in the documented order: package files from the last, knowledge
 * from the lowest score, history from the oldest, the rules of the project, then the lines around the selection. The selection
 * and the question are not among it.
 *
 * @param used the variables that the templates read; leaving out others would save nothing
 * @param fileTokens what a planned file may cost at most; without a plan, lines around the selection go
 */
export function listSpares(
  { packageFiles = [], knowledgeBase = [], projectRules }: Context,
  history: readonly ChatMessage[],
  used: ReadonlySet<string>,
  fileTokens?: number,
): Spare[] {
  const spares: Spare[] = [];
  if (used.has("packageFiles"))
    spares.push(inPieces("packageFiles", "packageFiles", packageFiles.length));
  if (used.has("knowledgeBase"))
    spares.push(inPieces("references", "knowledgeBase references", countReferences(knowledgeBase)));
  spares.push(inPieces("history", "history messages", history.length));
  if (projectRules !== undefined) spares.push(inPieces("projectRules", "projectRules", 1));
  if (!used.has("activeEditor")) return spares;
  const sizes = fileTokens === undefined ? surroundings : shares;
  spares.push({
    steps: sizes.length,
    leave(cut, steps) {
      const size = sizes[steps - 1] ?? 0;
      return fileTokens === undefined
        ? { ...cut, around: size }
        : { ...cut, file: Math.floor(fileTokens * size) };
    },
    // What is shown of a planned file is told in any case.
    tell: ({ around }) =>
      around === undefined ? undefined : `activeEditor: all but ${around} lines around the focus`,
  });
  return spares;
}

/** @param had how many pieces there are */
function inPieces(field: keyof Cut, name: string, had: number): Spare {
  return {
    steps: had,
    leave: (cut, steps) => ({ ...cut, [field]: had - steps }),
    tell: ({ [field]: kept = had }) =>
      kept < had ? `${name}: ${had - kept} of ${had}` : undefined,
  };
}

export function countReferences(bases: KnowledgeBase): number {
  return bases.reduce((sum, base) => sum + (base.references?.length ?? 0), 0);
}
