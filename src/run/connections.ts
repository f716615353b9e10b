import { type Caller, nameCaller } from "../turn/caller.ts";

/**
 * A port: counts the connections that callers hold open. The one here counts those of its own process; one
 * over a shared store counts those of all.
 */
export interface Connections {
  /**
   * Takes a place for one more connection.
   *
   * @returns gives the place back, once however often it is called; undefined where the caller has as many as
   * are allowed
   */
  open(caller: Caller): Promise<(() => void) | undefined>;
}

/** @param most of one caller that is known by key or token; callers that nobody knows are not counted */
export function createConnections(most: number): Connections {
  const counts = new Map<string, number>();
  const add = (who: string, change: number): void => {
    const count = (counts.get(who) ?? 0) + change;
    if (count === 0) counts.delete(who);
    else counts.set(who, count);
  };
  return {
    async open(caller) {
      const who = nameCaller(caller);
      if (who === undefined) return () => undefined;
      if ((counts.get(who) ?? 0) >= most) return undefined;
      add(who, 1);
      let isOpen = true;
      return () => {
        if (isOpen) add(who, -1);
        isOpen = false;
      };
    },
  };
}
