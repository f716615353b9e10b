import type { Attack } from "../attack.ts";

/** So many templates and as many files, the same ones each time. */
export function randomAttacks(_count: number): Attack[] {
  return [];
}
