export { listUses } from "../../../code/list-uses.ts";

const identifier = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

/** The name that covers a place, or ends right before it; undefined without one. */
export function identifierAt(
  text: string,
  line: number,
  character: number,
): { name: string; isMember: boolean } | undefined {
  const code = splitLines(text)[line] ?? "";
  for (const { 0: name, index } of code.matchAll(identifier)) {
    if (character < index) return undefined;
    if (character <= index + name.length)
      return { name, isMember: /(?:\.|->|::)$/.test(code.slice(Math.max(0, index - 2), index)) };
  }
  return undefined;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
