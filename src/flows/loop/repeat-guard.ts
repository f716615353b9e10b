import type { ToolCall } from "../../turn/tool-call.ts";

/** So often the same call may come to the same result before the agent is stopped. */
const maxSame = 3;

/** Notices an agent that goes round in circles: one call, one result, and nothing was written in between. */
export class RepeatGuard {
  readonly #seen = new Map<string, { content: string; count: number }>();

  /** @returns whether this call was made too often by now */
  add({ name, arguments: given }: ToolCall, content: string): boolean {
    const key = `${name} ${sortArguments(given)}`;
    const known = this.#seen.get(key);
    const count = known?.content === content ? known.count + 1 : 1;
    this.#seen.set(key, { content, count });
    return count >= maxSame;
  }

  /** After a write the same call may well come to something else. */
  forget(): void {
    this.#seen.clear();
  }
}

/** Equal for arguments that say the same; the reason that a model gives does not count. */
function sortArguments(given: string): string {
  try {
    const { explanation: _, ...value } = JSON.parse(given) as Record<string, unknown>;
    return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  } catch {
    return given.trim();
  }
}
