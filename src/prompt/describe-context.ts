// What became of the context: the receipt that goes to the client.
import type { Context, DroppedValue, Problem } from "../turn/context/context.ts";
import {
  type VariableKind,
  isVariableName,
  variableNames,
  variables,
} from "../turn/context/variables.ts";
import {
  costOfProjectRules,
  projectRulesOf,
  rulesVariable,
} from "../turn/context/project-rules.ts";
import { suggestName } from "../base/errors/suggest-name.ts";
import { collectedBy, findCommand } from "../turn/agent-definition.ts";
import type { ContextReceipt } from "../turn/context-receipt.ts";
import type { Turn } from "../turn/turn.ts";
import { factNames } from "./print-facts.ts";

/** Names and other entries that one field of a receipt lists. */
const maxNames = 20;
const knownNames: readonly string[] = [...variableNames, rulesVariable];

/** The receipt of a command that asks no model. */
export function describeContext(turn: Turn): ContextReceipt {
  return describeArrived(turn, new Set(), collectedBy(findCommand(turn.definition, turn.command)));
}

/**
 * The receipt with what went of the flow's own variables, and without what they show as unused.
 *
 * @param shown variables that reach the templates inside of facts
 */
export function withPlan(
  receipt: ContextReceipt,
  shown: readonly string[] = [],
  dropped: readonly string[],
): ContextReceipt {
  if (shown.length === 0 && dropped.length === 0) return receipt;
  const { unused = [], cut = [], ...others } = receipt;
  const left = unused.filter((name) => !shown.includes(name));
  const cuts = [...cut, ...dropped];
  return {
    ...others,
    ...(left.length === 0 ? {} : { unused: left }),
    ...(cuts.length === 0 ? {} : { cut: cuts }),
  };
}

/**
 * What came, what did not, and what nobody read.
 *
 * @param used names that templates read
 * @param declared variables that the command collects
 */
export function describeArrived(
  turn: Turn,
  used: ReadonlySet<string>,
  declared: ReadonlyMap<string, unknown>,
): ContextReceipt {
  const { context } = turn;
  const arrived: Record<string, number> = {};
  for (const name of variableNames) {
    // Each kind weighs what its own schema accepted.
    if (context[name] !== undefined)
      arrived[name] = (variables[name] as VariableKind).cost(context[name]);
  }
  const rules = projectRulesOf(context.others);
  const unknown = [...context.others.keys()].filter(
    (name) => rules === undefined || name !== rulesVariable,
  );
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
    if (used.size > 0 && !used.has(name) && name !== "globalPrompts") unused.push(name);
  return {
    command: turn.command,
    ...(turn.namedPlace === undefined ? {} : { place: turn.namedPlace }),
    arrived:
      rules === undefined ? arrived : { ...arrived, projectRules: costOfProjectRules(rules) },
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
  const isKnown = isVariableName(name) || name === rulesVariable;
  const known = isKnown ? unread : [...knownNames, ...others.keys()];
  const near = suggestName(name, known);
  if (near === undefined) return name;
  return isKnown ? `${name} (is ${near} meant for it?)` : `${name} (did you mean ${near}?)`;
}

function nameUnknown(unknown: readonly string[], unread: readonly string[]): string[] {
  return unknown.slice(0, maxNames).map((name) => {
    const near = unread.includes(name) ? suggestName(name, knownNames) : undefined;
    return near === undefined ? name : `${name} (did you mean ${near}?)`;
  });
}
