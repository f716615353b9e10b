import * as z from "zod";
import type { Locale } from "../base/errors/locale.ts";
import type { OfferedTool } from "../turn/tool-call.ts";
import type { Tool } from "./tool.ts";

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
   * @param given the arguments: where several tools go by that name, the one for their `command`, and else one that writes
   */
  find(name: string, given: Readonly<Record<string, unknown>> = {}): AnyTool | undefined {
    const tools = this.#byName.get(foldName(name.slice(name.lastIndexOf(".") + 1))) ?? [];
    const { command } = given;
    const meant = tools.find(({ commands = [] }) => commands.some((each) => each === command));
    return meant ?? tools.find((tool) => tool.commands && tool.effect === "write") ?? tools[0];
  }

  /** As a model sees them. */
  offer(locale: Locale): OfferedTool[] {
    return this.tools.map((tool) => ({
      name: tool.name,
      description: tool.description[locale],
      parameters: describeInput(tool, locale),
    }));
  }
}

/** Equal for names that differ in case, dashes and blanks only. */
export function foldName(name: string): string {
  return name.replaceAll(/[_\-\s]/g, "").toLowerCase();
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
function describeInput(
  { input, fields }: AnyTool,
  locale: Locale,
): Readonly<Record<string, unknown>> {
  const { $defs, ...root } = z.toJSONSchema(input, { io: "input" });
  // A schema with an id, or one that its own parts name, is among the definitions itself.
  const named = root.$ref?.startsWith("#/$defs/") === true ? root.$ref.slice(8) : undefined;
  const schema = (named === undefined ? root : $defs?.[named]) ?? {};
  if (schema.type !== "object") throw new Error("its input is not an object");
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const text = Object.hasOwn(fields, name) ? fields[name]?.[locale] : undefined;
    // What zod prints are objects at every depth; the dialect would also allow true and false.
    const plain = typeof property === "object" ? withoutBounds({ ...property }) : {};
    return [name, text === undefined ? plain : { ...plain, description: text }];
  });
  const required = schema.required ?? [];
  const described = { type: "object", properties: Object.fromEntries(properties), required };
  return $defs === undefined ? described : { ...described, $defs };
}

/** Bounds say nothing to a model that its own field does not say, and grammars of some servers choke on large ones. */
function withoutBounds({
  maxLength: _length,
  maximum: _most,
  ...rest
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rest;
}
