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

  /** @param tools of several with the same name, the first counts */
  constructor(tools: readonly AnyTool[]) {
    this.tools = tools;
    for (const tool of tools)
      for (const name of tool.otherNames ?? [])
        this.#byName.set(foldName(name), [...(this.#byName.get(foldName(name)) ?? []), tool]);
    for (const tool of tools.toReversed()) this.#byName.set(foldName(tool.name), [tool]);
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

/** Fields that no tool knows pass, so the schema does not forbid them; some servers refuse what they do not know. */
function describeInput(
  { input, fields }: AnyTool,
  locale: Locale,
): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(input, { io: "input" });
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const text = Object.hasOwn(fields, name) ? fields[name]?.[locale] : undefined;
    // What zod prints are objects at every depth; the dialect would also allow true and false.
    const plain = typeof property === "object" ? withoutBounds({ ...property }) : {};
    return [name, text === undefined ? plain : { ...plain, description: text }];
  });
  const required = schema.required ?? [];
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** Bounds say nothing to a model that its own field does not say, and grammars of some servers choke on large ones. */
function withoutBounds({
  maxLength: _length,
  maximum: _most,
  ...rest
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rest;
}
