import { Liquid } from "liquidjs";
import * as z from "zod";
import { isVariableName, variables } from "../../turn/context/variables.ts";
import { suggestName } from "../../base/errors/suggest-name.ts";
import { innerSchema } from "./inner-schema.ts";

/** What Liquid itself answers on lists. */
const listWords = ["first", "last"];

/**
 * What a template reads in a documented variable under a name that nearly is a documented one.
 * Follows the template's global names, not those that it makes itself (`for`, `assign`).
 *
 * @param template one that the engine compiles
 * @returns one sentence for each such path
 */
export function lintVariablePaths(template: string): string[] {
  const liquid = new Liquid({ templates: {} });
  const messages = liquid
    .globalVariableSegmentsSync(template, { partials: false })
    .flatMap(([root, ...steps]) =>
      typeof root === "string" && isVariableName(root)
        ? findMisspelt(variables[root].schema, steps, root)
        : [],
    );
  return [...new Set(messages)];
}

function findMisspelt(schema: unknown, steps: readonly unknown[], path: string): string[] {
  const inner = innerSchema(schema);
  const [step, ...rest] = steps;
  if (inner instanceof z.ZodArray) {
    if (typeof step === "number") return findMisspelt(inner.element, rest, `${path}[${step}]`);
    return typeof step === "string" && listWords.includes(step)
      ? findMisspelt(inner.element, rest, `${path}.${step}`)
      : [];
  }
  if (!(inner instanceof z.ZodObject) || typeof step !== "string") return [];
  if (Object.hasOwn(inner.shape, step))
    return findMisspelt(inner.shape[step], rest, `${path}.${step}`);
  const near = suggestName(step, Object.keys(inner.shape));
  return near === undefined
    ? []
    : [`reads "${path}.${step}", which nobody documents; did you mean ${path}.${near}?`];
}
