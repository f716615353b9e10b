// The arguments of a call in; the context variables of a turn out.
import * as z from "zod";
import { invalidRequest } from "../../turn/agents/resolve-turn.ts";
import { type ContextVariable, findProblems } from "../../turn/context/context.ts";
import { fitInput } from "../../tools/arguments/fit-input.ts";
import { isDeeper, isRecord, parseJson } from "../../base/text/json.ts";
import { renames } from "../../tools/tool.ts";

const Line = z.int().min(1);
const Path = z.string().max(4_096);

/** What a call of a command may say. All of it is optional: what a command cannot do without, it asks for. */
export const CommandInput = z.looseObject({
  question: z.string().optional().describe("What is asked, in the person's own words"),
  path: Path.optional().describe("The file in focus, as the project names it"),
  code: z.string().optional().describe("The whole text of that file"),
  language: z.string().max(200).optional().describe("Its programming language, such as typescript"),
  startLine: Line.optional().describe("The first selected line of the file, counted from 1"),
  endLine: Line.optional().describe("The last selected line"),
  cursorLine: Line.optional().describe("The line of the cursor, where nothing is selected"),
  files: z
    .array(z.object({ path: Path, content: z.string() }))
    .max(200)
    .optional()
    .describe("Other files that are needed, with their whole text"),
  state: z
    .string()
    .optional()
    .describe("Goes on from an earlier result: the `state` of one of its `next` or `trees`"),
  node: z
    .string()
    .optional()
    .describe("Of a tree with that state: the `id` of the node that is meant"),
  nodeAction: z
    .enum(["click", "expand"])
    .optional()
    .describe("What is done with the node: click (the default) or expand"),
  ask: z
    .boolean()
    .optional()
    .describe("false: the person is not asked for a next step; those are in the result"),
  locale: z.string().max(200).optional().describe("The language of the answer: en or zh"),
});
export type CommandInput = z.infer<typeof CommandInput>;

/** What a call of the edit engine says. */
export const EditInput = z.looseObject({
  path: Path.describe("The file that is edited"),
  code: z
    .string()
    .optional()
    .describe("Its whole text as it is now; left out where there is no such file"),
  answer: z
    .string()
    .describe(
      "What a model wrote: SEARCH/REPLACE units, a diff, a patch, code with `... existing code ...`, or a whole answer that holds one of these",
    ),
  locale: CommandInput.shape.locale,
});

/** What models write in place of a field's name. */
const otherFields = renames({
  question: "prompt query",
  path: "file filePath",
  code: "content text",
  cursorLine: "line",
  answer: "diff",
  node: "nodeId",
});

/** @throws AppError `invalid_request` with every problem's path */
export function readInput<Input>(
  schema: z.ZodType<Input>,
  given: Readonly<Record<string, unknown>>,
): Input {
  const fitted = fitInput({ input: schema, otherFields }, given);
  const problems = findProblems(schema, fitted);
  if (problems.length > 0) throw invalidRequest(problems);
  return schema.parse(fitted);
}

/** The schema as clients get it. */
export function describeSchema(schema: z.ZodType): { type: "object" } & Record<string, unknown> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return { type: "object", properties, required };
}

/**
 * What a call says, as an editor would.
 *
 * @throws AppError `invalid_request` where lines are named that the file does not have
 */
export function toVariables(input: CommandInput): ContextVariable[] {
  const { question, path, code, language, files = [] } = input;
  const packageFiles = files.map((file) => ({ filepath: file.path, content: file.content }));
  const hasEditor = path !== undefined || code !== undefined;
  const place = readPlace(input);
  const editor = hasEditor ? { filePath: path, language, content: code, ...place } : undefined;
  return [
    { name: "userInputPrompt", value: question },
    { name: "activeEditor", value: editor },
    { name: "packageFiles", value: packageFiles.length === 0 ? undefined : packageFiles },
  ];
}

function readPlace(input: CommandInput): object {
  const { code, startLine, endLine = startLine, cursorLine } = input;
  const first = startLine ?? endLine;
  if (first === undefined && cursorLine === undefined) return {};
  const lines = (code ?? "").split("\n");
  const refuse = (path: string, message: string, zh: string): never => {
    throw invalidRequest([{ path, message, zh }]);
  };
  if (code === undefined)
    refuse(
      "code",
      "is missing: the lines count in the whole text of the file",
      "缺失：行号对应文件的完整文本",
    );
  const check = (path: string, line = 0): void => {
    if (line > lines.length)
      refuse(
        path,
        `is line ${line}, and the file has ${lines.length}`,
        `为第 ${line} 行，而文件只有 ${lines.length} 行`,
      );
  };
  check("startLine", first);
  check("cursorLine", cursorLine);
  if (first === undefined || endLine === undefined) {
    const above = lines.slice(0, (cursorLine ?? 1) - 1);
    return { cursorOffset: above.reduce((sum, { length }) => sum + length + 1, 0) };
  }
  if (endLine < first) refuse("endLine", "is before startLine", "在 startLine 之前");
  const selected = lines.slice(first - 1, endLine);
  const [startColumn, endColumn] = [1, (selected.at(-1)?.replace(/\r$/, "").length ?? 0) + 1];
  const range = { startLine: first, startColumn, endLine: first - 1 + selected.length, endColumn };
  return { selectedRanges: [{ ...range, content: selected.join("\n") }] };
}

/** Levels of a state or a result. */
const maxDepth = 32;

/** A result or a state of ours, as the client gives it back; undefined where it is none. */
export function parseRecord(text: string | undefined): Record<string, unknown> | undefined {
  const value = parseJson(text ?? "");
  return isRecord(value) && !isDeeper(value, maxDepth) ? value : undefined;
}
