import { trimEndSigns } from "../../edit/trim-signs.ts";
import type { NamedCall } from "./named-calls.ts";

const functionStart = /^[ \t]*<function=([\w.-]{1,64})>$/;
const parameterStart = /^[ \t]*<parameter=([\w.-]{1,64})>/;
const functionEnd = "</function>";
const parameterEnd = "</parameter>";

/** Whether a call whose fields are tags begins with the line. */
export function beginsXml(line: string): boolean {
  return functionStart.test(trimEndSigns(line, " \t"));
}

/**
 * Reads `<function=NAME>` with `<parameter=NAME>` on lines of its own, once or several times. A text may hold such tags:
 * it ends where another parameter or the end of the function follows. Undefined if anything is left open.
 */
export function readXmlCalls(lines: readonly string[]): NamedCall[] | undefined {
  const calls: NamedCall[] = [];
  let args: Map<string, string> | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, name] = functionStart.exec(trimEndSigns(line, " \t")) ?? [];
    const [start, parameter] = parameterStart.exec(line) ?? [];
    if (args === undefined) {
      if (name === undefined && line.trim() !== "") return undefined;
      args = name === undefined ? undefined : new Map();
      if (name !== undefined) calls.push({ name, args: {} });
    } else if (start !== undefined && parameter !== undefined) {
      const end = endOfParameter(lines, at);
      if (end === -1) return undefined;
      args.set(parameter, textOf(lines.slice(at, end + 1), start.length));
      at = end;
    } else if (line.trim() === functionEnd) {
      const last = calls.pop();
      calls.push({ name: last?.name ?? "", args: Object.fromEntries(args) });
      args = undefined;
    } else if (line.trim() !== "") return undefined;
  }
  return args === undefined && calls.length > 0 ? calls : undefined;
}

/** The line that closes a parameter: what follows it begins another or ends the function. */
function endOfParameter(lines: readonly string[], start: number): number {
  let closing = -1;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isNext = line.trim() === functionEnd || parameterStart.test(line);
    if (closing !== -1 && isNext) return closing;
    if (line.trimEnd().endsWith(parameterEnd)) closing = at;
    else if (line.trim() !== "") closing = -1;
  }
  return -1;
}

/** Without the line ends next to the tags. */
function textOf(lines: readonly string[], from: number): string {
  const text = lines.join("\n").trimEnd();
  const inside = text.slice(from, text.length - parameterEnd.length);
  const start = inside.startsWith("\n") ? 1 : 0;
  return inside.slice(start, inside.endsWith("\n") ? -1 : undefined);
}
