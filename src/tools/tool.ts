import * as z from "zod";
import type { Fields } from "../base/text/json.ts";
import type { CodeParser } from "../code/code-analysis.ts";
import type { LineEdit } from "../edit/edit-unit.ts";
import type { Message } from "../base/errors/app-error.ts";
import type { Locale } from "../base/errors/locale.ts";
import type { Approval, FileChange, Workspace, WorkspaceProblem } from "../workspace/workspace.ts";
import type { OfferedTool } from "../turn/chat-message.ts";
import type { JsonSchema } from "./arguments/check-schema.ts";

/**
 * Something that a model may call. What it does wrong is a result that the model reads; it never throws for that.
 *
 * @typeParam Use what it is given: all that tools of the command `code` have, unless it says less
 */
export interface Tool<Input, Use extends CommonUse = ToolUse> {
  /** As the model calls it: a letter, then letters, digits, `_` and `-`, 64 at most. */
  name: string;
  /** What models call it, too. */
  otherNames?: readonly string[];
  /** What a tool of several commands, as other agents have one under such a name, has in `command` where this one is meant. */
  commands?: readonly string[];
  /** Tells the model what it does and when to call it. */
  description: Message;
  /** An object without transforms and defaults: the JSON Schema that the model gets is made of it. */
  input: z.ZodType<Input>;
  /** In place of `input`, where a description has a schema of its own: an object, shown as it is, by which arguments are checked. */
  schema?: JsonSchema;
  /** What each field of the input is for, as the JSON Schema tells it; a field that is left out tells it by `describe`. */
  fields: Readonly<Record<string, Message>>;
  /** What models write in place of a field's name, by what they write. */
  otherFields?: Readonly<Record<string, string>>;
  /** Fields that are paths: blanks and quotes around them are no part of them. */
  paths?: readonly string[];
  /** Puts fields that mean the same as the tool's own into those; undefined if there are none. */
  fit?(given: Fields): Fields | undefined;
  /** The fields that arguments without names mean, in their order; the first field if it is left out. */
  placed?: readonly string[];
  /** Reads may run side by side, writes never. */
  effect: "read" | "write";
  /** The same call may come to the same result again and again, as where a model waits for something. Else the third ends the turn. */
  mayRepeat?: boolean;
  /** Its outcomes have the fields of a protocol: the model reads them without `success`. */
  isBare?: boolean;
  /** Models call it, but are not told of it: another tool finds it. */
  isHidden?: boolean;
  /** It works on files: where there are none, a call of it is told so. */
  needsFiles?: boolean;
  /** @throws the signal's reason, and nothing else */
  run(input: Input, use: Use): Promise<ToolOutcome>;
}

/** What came of a call: the fields of the protocol, and `success`. Plain JSON. */
export interface ToolOutcome {
  success: boolean;
  [field: string]: unknown;
}

/** What every tool may use. One object for all calls of a turn; only the id differs. */
export interface CommonUse {
  locale: Locale;
  signal: AbortSignal;
  /** Of the call that is run, as the model named it. */
  callId?: string;
  /** Asks for a call of a tool that needs it; without this such a call is refused. */
  askCall?: AskCall | undefined;
  /** Puts a question of the model's to the person. */
  askPerson?: AskPerson | undefined;
}

/** What the tools of an agent that works on files may use besides. */
export interface FileUse {
  workspace: Workspace;
  /** Asks the person, or the policy that they set. */
  ask: AskApproval;
  /** What the model knows of files, by their paths as the workspace gives them: the hash of each when it was last shown or written. */
  seen: Map<string, string>;
  /** Compares syntax errors before and after a change; without it nobody does. */
  code?: CodeParser;
  /** Plans an edit that the engine refused; without it the refusal goes to the model. */
  planEdit?: PlanEdit;
  /** Hears of each change that was made, before the call's result is there. */
  onChange?: (made: ChangeMade) => void;
}

/** What tools of the command `code` may use. */
export interface ToolUse extends CommonUse, FileUse {}

/** What is there for the calls of a turn: not every turn has files. */
export type GivenUse = CommonUse & Partial<FileUse>;

/** A change as the workspace verified it, and the same as edits of lines, numbered as they were before. */
export interface ChangeMade {
  change: FileChange;
  edits: readonly LineEdit[];
}

/**
 * Asks a model where an edit belongs. What it answers is checked, and applied as a whole or not at all.
 *
 * @returns undefined where no plan came of it
 * @throws the signal's reason, and nothing else
 */
export type PlanEdit = (
  task: EditTask,
  signal: AbortSignal,
) => Promise<readonly LineEdit[] | undefined>;

interface EditTask {
  path: string;
  /** The file with a number before each line, as `12| text`. */
  numbered: string;
  totalLines: number;
  /** The model's own words for the edit. */
  instructions: string;
  codeEdit: string;
  /** Why the engine could not merge it, in words for a model. */
  problem: string;
}

/** What a person is asked; `why` is the model's own reason, and data as such. */
export type ApprovalQuestion =
  | { kind: "change"; changes: readonly FileChange[]; diff: string; why: string }
  | { kind: "read"; path: string; why: string };

/** `reason`: why not, in words for the model. */
export type Decision = { ok: true; approval: Approval } | { ok: false; reason: string };

export type AskApproval = (question: ApprovalQuestion, signal: AbortSignal) => Promise<Decision>;

/** What a tool would do outside the files: exactly what would be sent or run, and where. */
export interface AskedCall {
  /** As the model named the call. */
  id?: string;
  tool: string;
  /** A host, the name of a server or a folder. */
  target: string;
  /** Of an operation that has one: an approval for another version is none. */
  version?: string;
  arguments: Fields;
}

/**
 * Asks the person, or the policy that they set, for one call; a yes counts for this call only.
 *
 * @returns `reason`: why not, in words for the model
 * @throws the signal's reason, and nothing else
 */
export type AskCall = (
  call: AskedCall,
  signal: AbortSignal,
) => Promise<{ ok: true } | { ok: false; reason: string }>;

/**
 * A question with choices, of which the person takes one or says something else.
 *
 * @returns undefined where nobody can answer
 * @throws the signal's reason, and nothing else
 */
export type AskPerson = (
  asked: { question: string; choices: readonly string[] },
  signal: AbortSignal,
) => Promise<string | undefined>;

/** A tool whose input only its own schema knows. */
export type AnyTool = Tool<unknown>;

/** The tools that a model may call. */
export class Toolbox {
  readonly tools: readonly AnyTool[];
  /** The tools that a name may mean. */
  readonly #byName = new Map<string, readonly AnyTool[]>();

  /** @param tools of several with the same name, the last counts */
  constructor(tools: readonly AnyTool[]) {
    this.tools = [...new Map(tools.map((tool) => [foldName(tool.name), tool])).values()];
    for (const tool of this.tools)
      for (const name of tool.otherNames ?? [])
        this.#byName.set(foldName(name), [...(this.#byName.get(foldName(name)) ?? []), tool]);
    for (const tool of this.tools) this.#byName.set(foldName(tool.name), [tool]);
  }

  get names(): string[] {
    return this.tools.map(({ name }) => name);
  }

  /**
   * By its name or another one that models use, in any spelling: `readTool`, `tool_code.read_file`.
   *
   * @param given the arguments: where several tools go by that name, the one for their `command`, else one that writes,
   *   else the one that knows most of them
   */
  find(name: string, given: Fields = {}): AnyTool | undefined {
    const tools =
      this.#byName.get(foldName(name.replaceAll(sign, ""))) ??
      this.#byName.get(foldName(name.slice(name.lastIndexOf(".") + 1))) ??
      [];
    const { command } = given;
    const meant = tools.find(({ commands = [] }) => commands.some((each) => each === command));
    const editor = tools.find((tool) => tool.commands && tool.effect === "write");
    return (
      meant ?? editor ?? tools.toSorted((a, b) => countKnown(b, given) - countKnown(a, given))[0]
    );
  }

  /** As a model sees them. */
  offer(locale: Locale): OfferedTool[] {
    const shown = this.tools.filter(({ isHidden }) => isHidden !== true);
    return shown.map((tool) => ({
      name: tool.name,
      description: tool.description[locale],
      parameters: describeInput(tool, locale),
    }));
  }
}

function countKnown({ fields, otherFields = {} }: AnyTool, given: Fields): number {
  const known = new Set([...Object.keys(fields), ...Object.keys(otherFields)].map(foldName));
  return Object.keys(given).filter((name) => known.has(foldName(name))).length;
}

/** What names have between their words. */
const sign = /[^\p{L}\p{N}]/gu;

/** Equal for names that differ in case, dashes and blanks only. */
export function foldName(name: string): string {
  return name.replaceAll(/[_\-\s]/g, "").toLowerCase();
}

/** A table of other names, written as one list for each field: `{ query: "pattern glob" }` gives `pattern` and `glob` as `query`. */
export function renames(lists: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(lists).map(([own, others]) =>
    others.split(" ").map((name) => [name, own] as const),
  );
  return Object.fromEntries(pairs.flat());
}

/** A field of a tool: what it may be, what it is for, and what models write in place of its name. */
interface ToolField extends Message {
  schema: z.ZodType;
  /** With spaces between. */
  otherNames?: string;
  isPath?: boolean;
}
type ToolFields = Readonly<Record<string, ToolField>>;

export type InputOf<Told extends ToolFields> = z.infer<
  z.ZodObject<{ [Name in keyof Told]: Told[Name]["schema"] }>
>;

/** A tool all of whose fields are told in one place. */
export function defineTool<Told extends ToolFields, Use extends CommonUse = ToolUse>({
  fields,
  ...tool
}: Omit<Tool<InputOf<Told>, Use>, "input" | "fields" | "otherFields" | "paths"> & {
  fields: Told;
}): Tool<InputOf<Told>, Use> {
  const all = Object.entries(fields);
  const shape = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]));
  const others = all.map(([name, { otherNames = "" }]) => [name, otherNames] as const);
  return {
    ...tool,
    fields,
    // The shape of the fields, which entries have lost.
    input: z.object(shape) as unknown as z.ZodType<InputOf<Told>>,
    otherFields: renames(Object.fromEntries(others.filter(([, names]) => names !== ""))),
    paths: all.filter(([, { isPath }]) => isPath === true).map(([name]) => name),
  };
}

/** What servers take as the name of a tool; a dot in front of a name is cut off where a call is read. */
const toolName = /^[A-Za-z][\w-]{0,63}$/;
const fieldName = /^[\w.-]{1,64}$/;

/**
 * Checks tools of a library user before a model is offered them.
 *
 * @param reserved names that no tool may have
 * @throws Error with the name of the tool and what is wrong with it
 */
export function checkTools(tools: readonly AnyTool[], reserved: readonly string[] = []): void {
  const known = new Map(reserved.map((name) => [foldName(name), undefined as string | undefined]));
  for (const tool of tools) {
    const refuse = (problem: string): never => {
      throw new Error(`The tool ${JSON.stringify(tool.name)} cannot be offered: ${problem}.`);
    };
    for (const name of [tool.name, ...(tool.otherNames ?? [])])
      if (!toolName.test(name))
        refuse(`${JSON.stringify(name)} is not a letter and up to 63 letters, digits, _ and -`);
    const folded = foldName(tool.name);
    if (known.has(folded)) refuse(`${known.get(folded) ?? "the agent itself"} has this name`);
    known.set(folded, tool.name);
    let names: string[] = [];
    try {
      names = Object.keys(describeInput(tool, "en")["properties"] ?? {});
    } catch (thrown) {
      refuse(thrown instanceof Error ? thrown.message : String(thrown));
    }
    const odd = names.find((name) => !fieldName.test(name));
    if (odd !== undefined)
      refuse(`the field ${JSON.stringify(odd)} is not 1 to 64 letters, digits, _, . and -`);
  }
}

/**
 * Fields that no tool knows pass, so the schema does not forbid them; some servers refuse what they do not know.
 *
 * @throws Error where the input is no object, or has something that JSON Schema has no word for
 */
function describeInput({ input, schema: own, fields }: AnyTool, locale: Locale): Fields {
  if (own?.["type"] === "object") return own;
  if (own !== undefined) throw new Error("its input is not an object");
  const { $defs, ...root } = z.toJSONSchema(input, { io: "input" });
  // A schema with an id, or one that its own parts name, is among the definitions itself.
  const named = root.$ref?.startsWith("#/$defs/") === true ? root.$ref.slice(8) : undefined;
  const schema = (named === undefined ? root : $defs?.[named]) ?? {};
  if (schema.type !== "object") throw new Error("its input is not an object");
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const text = Object.hasOwn(fields, name) ? fields[name]?.[locale] : undefined;
    // What zod prints are objects at every depth; the dialect would also allow true and false. Bounds say nothing to a
    // model that its own field does not say, and grammars of some servers choke on large ones.
    const { maxLength: _, maximum: _most, ...plain } = typeof property === "object" ? property : {};
    return [name, text === undefined ? plain : { ...plain, description: text }];
  });
  const required = schema.required ?? [];
  const described = { type: "object", properties: Object.fromEntries(properties), required };
  return $defs === undefined ? described : { ...described, $defs };
}

/**
 * A call that did not do what was asked.
 *
 * @param message what happened, and what the model can do next
 * @param facts more fields, such as the place that comes nearest
 */
export function fail(
  locale: Locale,
  code: string,
  message: Message,
  facts: Fields = {},
): ToolOutcome {
  return { success: false, code, error: message[locale], ...facts };
}

/** A refusal of the workspace. */
export function failFrom(
  locale: Locale,
  { code, message }: WorkspaceProblem,
  facts: Fields = {},
): ToolOutcome {
  return fail(locale, code, message, facts);
}
