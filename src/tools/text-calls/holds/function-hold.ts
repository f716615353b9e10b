import type { AnyTool, Toolbox } from "../../toolbox.ts";
import { type ArgumentValue, FunctionScan } from "../function-scan.ts";
import type { NamedCall } from "../named-calls.ts";
import type { Held, Hold } from "./hold.ts";

const head =
  /^ {0,3}(?<wrap>print\()?(?:await {1,8})?(?<name>(?:[A-Za-z_]\w{0,40}\.){0,3}[A-Za-z_]\w{0,40})\(/;

interface Head {
  tool: AnyTool;
  name: string;
  /** The call is inside of another one. */
  isWrapped: boolean;
  rest: string;
}

/** The beginning of a call of a tool that there is. */
export function readHead(line: string, toolbox: Toolbox): Head | undefined {
  const match = head.exec(line.slice(0, 400));
  const { name = "", wrap } = match?.groups ?? {};
  const tool = match === null ? undefined : toolbox.find(name);
  if (match === null || tool === undefined) return undefined;
  return { tool, name, isWrapped: wrap !== undefined, rest: line.slice(match[0].length) };
}

/** `tool_code.readTool(filePath='main.ts')`, over as many lines as its texts have. */
export class FunctionHold implements Hold {
  readonly #head: Head;
  readonly #scan = new FunctionScan();
  #count = 0;

  constructor(begin: Head) {
    this.#head = begin;
  }

  take(line: string): Held | undefined {
    this.#count += 1;
    this.#scan.push(`${this.#count === 1 ? this.#head.rest : line}\n`);
    if (this.#scan.state === "open") return undefined;
    const call = this.#scan.state === "closed" ? this.#read() : undefined;
    if (call !== undefined) return { kind: "calls", calls: [call], lines: this.#count };
    return this.#scan.state === "closed" || !isEditHead(this.#head)
      ? { kind: "text", lines: this.#count }
      : { kind: "text", lines: this.#count, until: endsCall };
  }

  end(): Held {
    return { kind: "text", lines: this.#count };
  }

  #read(): NamedCall | undefined {
    const { tool, name, isWrapped } = this.#head;
    const after = this.#scan.rest.trim().replace(/;$/, "");
    const isAlone =
      after === (isWrapped ? ")" : "") || after.startsWith("#") || after.startsWith("//");
    const found = isAlone ? this.#scan.read() : undefined;
    if (found === undefined) return undefined;
    const names = Object.keys(found.named);
    const isKnown = names.some((each) => isField(tool, each));
    const isPlain = name.includes(".") || name === tool.name || name.endsWith("Tool");
    if (!isKnown && !isPlain) return undefined;
    if (names.length > 0 && !isKnown) return undefined;
    return { name, args: { ...place(tool, found.placed), ...found.named } };
  }
}

/** An edit whose quotes do not fit may still be one for the reader of edits. */
function isEditHead({ tool }: Head): boolean {
  return tool.effect === "write";
}

/** The brackets of a call close after a text, or on a line of their own. */
function endsCall(line: string): boolean {
  const bare = line.replaceAll(/[ \t;]/g, "");
  return /["'`]\)$/.test(bare) || bare === ")";
}

function isField({ fields, otherFields = {} }: AnyTool, name: string): boolean {
  return Object.hasOwn(fields, name) || Object.hasOwn(otherFields, name);
}

/** Arguments without names are those that a call cannot be without, in their order. */
function place(tool: AnyTool, values: readonly ArgumentValue[]): Record<string, ArgumentValue> {
  const names = tool.placed ?? Object.keys(tool.fields).slice(0, 1);
  return Object.fromEntries(
    values.flatMap((value, nth): [string, ArgumentValue][] => {
      const name = names[nth];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}
