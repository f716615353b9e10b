// What the plugin document writes, in its spellings (its sections 2 and 3), and our few fields beside it.
import type { CodeRange } from "../../code/source-text.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import type { PluginCommand } from "../../flows/flow.ts";
import { ownCommands } from "../../flows/own-commands.ts";
import * as z from "zod";

/** 0-based; some clients send numbers as text. */
export const Offset = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

const WirePosition = z.looseObject({ line: Offset, character: Offset.nullish() });
/** `character` counts UTF-16 code units; `end` is exclusive. */
export const WireRange = z.looseObject({ start: WirePosition, end: WirePosition });
export type WireRange = z.infer<typeof WireRange>;

/** Code with its place; the document writes the bare text in two of its examples. */
const TextContext = z.union([
  z.string(),
  z.looseObject({
    filepath: z.string().nullish(),
    range: WireRange.nullish(),
    text: z.string(),
  }),
]);
export type TextContext = z.infer<typeof TextContext>;

/** A request of whatever command; which fields it needs, `commands` says. */
export const PluginRequest = z.looseObject({
  cmd: z.string(),
  /** `en`, `zh`; others and none mean `en`. */
  language: z.string().nullish(),
  model: z.string().nullish(),
  stream: z.boolean().nullish(),
  user_prompt: z.string().nullish(),
  selected_text: TextContext.nullish(),
  visible_text: TextContext.nullish(),
  /** Of exec_chat and exec_code. */
  msg: z.string().nullish(),

  file_content: z.string().nullish(),
  filepath: z.string().nullish(),
  file_path: z.string().nullish(),
  func_name: z.string().nullish(),
  function_name: z.string().nullish(),
  func_location: WireRange.nullish(),
  /** A tree of `{ name, kind, range, children }`; read as far as it is one. */
  func_symbols: z.array(z.unknown()).nullish(),

  task_id: z.union([z.string(), z.number()]).nullish(),
  test_cases_str: z.string().nullish(),
  relevant_content: z.string().nullish(),
  reference_content: z.string().nullish(),

  /** The plugin knows frames that tell its place in the queue. */
  queue_place: z.boolean().nullish(),
  /** The services that the plugin offers, by their paths (`true`: those of the document), and the folder of its project. */
  ide_services: z.union([z.boolean(), z.array(z.unknown())]).nullish(),
  root: z.string().max(4_096).nullish(),
  /** Ours, over a sleep of the connection: until then its services rest. Milliseconds since 1970. */
  ide_rest_until: z.number().nullish(),
});
export type PluginRequest = z.infer<typeof PluginRequest>;

/** From the wire's positions, which count from 0. */
export function toEditorRange({ start, end }: WireRange): CodeRange {
  return {
    startLine: start.line + 1,
    startColumn: (start.character ?? 0) + 1,
    endLine: end.line + 1,
    endColumn: (end.character ?? 0) + 1,
  };
}

/** The whole lines that a range touches, 1-based and inclusive; an end in column 1 does not touch its line. */
export function linesOfRange(range: WireRange): LineRange {
  const { startLine, endLine, endColumn } = toEditorRange(range);
  const last = endColumn === 1 && endLine > startLine ? endLine - 1 : endLine;
  return { startLine, endLine: Math.max(startLine, last) };
}

/** The path with slashes, however the plugin's system and its escaping wrote it: `example\\game.py`. */
export function toPath(path: string | null | undefined): string {
  return (path ?? "").replaceAll(/\\+/g, "/");
}

/** The commands that ask a model, by their names in the protocol; its `list_model` asks none. */
export const commands: ReadonlyMap<string, PluginCommand & { command: string }> = new Map(
  ownCommands.flatMap(({ name, plugin }) =>
    plugin === undefined ? [] : [[plugin.cmd, { ...plugin, command: name }]],
  ),
);
