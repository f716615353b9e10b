import { AgentDefinition } from "../../turn/agent-definition.ts";

/** What takes the place of a bad value, one after the other: first nothing, which optional keys allow. */
const rounds = [() => undefined, () => ({}), standIn, standIn];

/**
 * The definition with stand-ins for the values that the schema refuses, so that the rest can be
 * checked all the same. Array items keep their index.
 *
 * @returns undefined where nothing is left to check
 */
export function salvageDefinition(json: unknown): AgentDefinition | undefined {
  const copy = structuredClone(json);
  for (const replace of rounds) {
    const issues = AgentDefinition.safeParse(copy).error?.issues ?? [];
    for (const { path } of issues) {
      if (path.length === 0) return undefined;
      setAt(copy, path, replace(path));
    }
  }
  return AgentDefinition.safeParse(copy).data;
}

function standIn(path: readonly PropertyKey[]): string {
  return path.at(-1) === "role" ? "user" : "(unnamed)";
}

function setAt(root: unknown, path: readonly PropertyKey[], value: unknown): void {
  const key = path.at(-1);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>(
      (inner, step) => (isObject(inner) ? Reflect.get(inner, step) : undefined),
      root,
    );
  if (key !== undefined && isObject(holder)) Reflect.set(holder, key, value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
