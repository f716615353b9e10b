import * as z from "zod";
import type { LineEdit } from "../../edit/edit-unit.ts";
import { parseMended } from "../../base/text/mended-json.ts";
import { maxEdits } from "./apply-plan.ts";

/** In characters. */
const maxAnswer = 400_000;
/** Fences, or brackets, of an answer where a plan may begin or end. */
const maxStarts = 4;

const line = z.preprocess(
  (value) =>
    typeof value === "string" && /^[+-]?\d{1,9}$/.test(value.trim()) ? Number(value) : value,
  z.int(),
);
/** Lines may come as a list, and nothing for a deletion. */
const replacement = z.preprocess(
  (value) =>
    Array.isArray(value) && value.every((item) => typeof item === "string")
      ? value.join("\n")
      : value,
  z.string(),
);

/** What planners write in place of the names, without `_` and in lower case. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["startline", "start_line"],
  ["start", "start_line"],
  ["endline", "end_line"],
  ["end", "end_line"],
  ...["newcontent", "newcode", "newtext", "newlines", "content", "code", "text", "replacewith"].map(
    (name) => [name, "replacement"] as const,
  ),
]);

/** Under the names of the protocol. `null` deletes; where nothing is said of the new text, nothing is meant. */
function withNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const [name, field] of Object.entries(value)) {
    const own = otherNames.get(name.replaceAll("_", "").toLowerCase());
    if (own !== undefined && !fields.has(own)) fields.set(own, field);
  }
  if (fields.get("replacement") === null) fields.set("replacement", "");
  return Object.fromEntries(fields);
}

const edit = z.preprocess(withNames, z.object({ start_line: line, end_line: line, replacement }));

/** What the planner answers: lines count from 1, both ends included. */
const EditPlan = z.array(edit).max(maxEdits);

const wrappers = ["operations", "edits", "edit_operations", "changes", "plan"];

/**
 * Reads the plan out of a model's answer: JSON, a list or an object that holds one, in a fence or not, with
 * prose around. Undefined without a plan, or if the plan breaks off.
 */
export function readPlan(answer: string): LineEdit[] | undefined {
  if (answer.length > maxAnswer) return undefined;
  const text = answer.replaceAll("\r\n", "\n");
  for (const candidate of listCandidates(text)) {
    const plan = toPlan(candidate());
    if (plan !== undefined) return plan;
  }
  return undefined;
}

function toPlan(value: unknown): LineEdit[] | undefined {
  const list = listOf(value);
  if (list === undefined) return undefined;
  const parsed = EditPlan.safeParse(list);
  return parsed.success && parsed.data.length > 0 ? parsed.data : undefined;
}

function listOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value;
  const found = Object.entries(value).find(([name]) => wrappers.includes(name));
  if (found !== undefined) return found[1];
  return "start_line" in value || "startLine" in value ? [value] : undefined;
}

type Candidate = () => unknown;

/**
 * What may be the plan, the surest first. A fence ends at the last one that makes it read: replacement texts hold fences,
 * too.
 */
function* listCandidates(text: string): Generator<Candidate, void, void> {
  const whole = text.trim();
  yield () => parseMended(whole);
  const lines = text.split("\n");
  const isFence = (each: string): boolean => /^ {0,3}(?:`{3,}|~{3,})/.test(each);
  const fences = lines.flatMap((each, at) => (isFence(each) ? [at] : []));
  for (const start of fences.slice(0, maxStarts)) {
    for (const end of fences.toReversed().slice(0, maxStarts)) {
      if (end <= start) break;
      const inside = lines.slice(start + 1, end);
      yield () => parseMended(inside.join("\n").trim());
    }
  }
  for (const start of startsOf(whole)) {
    const last = Math.max(whole.lastIndexOf("]"), whole.lastIndexOf("}"));
    if (last > start) yield () => parseMended(whole.slice(start, last + 1));
  }
}

/** Where JSON may begin: brackets at the start of a line. One that is indented may be part of a plan that was cut off. */
function startsOf(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; starts.length < maxStarts; at += 1) {
    if (text[at] === "[" || text[at] === "{") starts.push(at);
    at = text.indexOf("\n", at);
    if (at === -1) break;
  }
  return starts;
}
