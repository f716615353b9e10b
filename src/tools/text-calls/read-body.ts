// What stands between the tags of a call: JSON, YAML, a function call, or tags again.
import { parseFirst, parseMended } from "../../base/text/mended-json.ts";
import type { Toolbox } from "../tool.ts";
import { FunctionHold, readHead } from "./holds/function-hold.ts";
import { readAll } from "./holds/read-all.ts";
import { callsOf, type NamedCall } from "./named-calls.ts";
import type { ReadBudget } from "./read-budget.ts";
import { readElements, readFields } from "./read-markup.ts";
import { readDocuments } from "./read-documents.ts";
import { unfenced } from "../../base/text/fence.ts";

/** Undefined if it is not a call that can be read. */
export function readBody(
  body: string,
  toolbox: Toolbox,
  budget: ReadBudget,
): readonly NamedCall[] | undefined {
  return budget.run(body.length, () => readWithin(body, toolbox, budget));
}

function readWithin(
  body: string,
  toolbox: Toolbox,
  budget: ReadBudget,
): readonly NamedCall[] | undefined {
  const text = unfenced(body.trim());
  if (/^[{[]/.test(text)) {
    const calls = callsOf(parseMended(text), toolbox, true);
    if (calls !== undefined) return calls;
  }
  if (text.startsWith("<")) return readTags(text, toolbox, budget);
  const lines = text.split(/\r?\n/);
  const name = bareName(lines[0] ?? "");
  if (name !== undefined)
    return readNamed(name, text.slice((lines[0] ?? "").length), toolbox, budget);
  return (
    readAll(lines, (line) => {
      const head = readHead(line, toolbox, true);
      return head && new FunctionHold(head, toolbox);
    }) ?? callsOf(readDocuments(lines), toolbox, true)
  );
}

function readTags(
  text: string,
  toolbox: Toolbox,
  budget: ReadBudget,
): readonly NamedCall[] | undefined {
  const readInner = (inner: string) => readBody(inner, toolbox, budget);
  const calls = readElements(text, toolbox, budget, readInner);
  return calls ?? callsOf(readFields(text, toolbox, budget), toolbox, true);
}

/** The name alone on its line; what is below it are the arguments. */
function readNamed(
  name: string,
  rest: string,
  toolbox: Toolbox,
  budget: ReadBudget,
): NamedCall[] | undefined {
  const text = unfenced(rest.trim());
  const args = text.startsWith("{") ? parseFirst(text) : readFields(text, toolbox, budget);
  return callsOf({ name, arguments: args ?? "{" }, toolbox, true);
}

function bareName(line: string): string | undefined {
  const name = line.trim();
  return /^[A-Za-z_][\w.-]{0,63}$/.test(name) ? name : undefined;
}
