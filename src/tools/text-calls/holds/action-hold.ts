import type { Toolbox } from "../../tool.ts";
import { readBody } from "../read-body.ts";
import { ReadBudget } from "../read-budget.ts";
import type { Held, Hold } from "./hold.ts";
import { JsonHold } from "./json-hold.ts";

const action = /^ {0,3}\*{0,2}Action\*{0,2}[ \t]*[:：]\*{0,2}[ \t]*`?([\w.]{1,64})`?$/;
const input = /^ {0,3}\*{0,2}Action Input\*{0,2}[ \t]*[:：]\*{0,2}[ \t]*/;

/** Takes `Action: NAME` with `Action Input: {...}` below it, if they begin with the line. */
export function beginAction(line: string, toolbox: Toolbox): Hold | undefined {
  const [, name] = action.exec(line.slice(0, 200).trimEnd()) ?? [];
  return name !== undefined && toolbox.find(name) !== undefined
    ? new ActionHold(name, toolbox)
    : undefined;
}

class ActionHold implements Hold {
  readonly #name: string;
  readonly #toolbox: Toolbox;
  readonly #json: string[] = [];
  #inner: JsonHold | undefined;
  #count = 0;

  constructor(name: string, toolbox: Toolbox) {
    this.#name = name;
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    this.#count += 1;
    if (this.#count === 1 || (this.#inner === undefined && line.trim() === "")) return undefined;
    if (this.#inner !== undefined) return this.#takeJson(line);
    const mark = input.exec(line)?.[0];
    const rest = mark === undefined ? "" : line.slice(mark.length);
    if (mark === undefined || (rest.trim() !== "" && !rest.startsWith("{")))
      return { kind: "text", lines: this.#count - 1 };
    this.#inner = new JsonHold(this.#toolbox);
    return this.#takeJson(rest);
  }

  end(): Held {
    return { kind: "text", lines: this.#count };
  }

  #takeJson(line: string): Held | undefined {
    if (this.#json.length === 0 && line.trim() === "") return undefined;
    this.#json.push(line);
    if (this.#inner?.take(line) === undefined) return undefined;
    const calls = readBody(
      `${this.#name}\n${this.#json.join("\n")}`,
      this.#toolbox,
      new ReadBudget(),
    );
    return calls === undefined
      ? { kind: "fault", lines: this.#count }
      : { kind: "calls", calls, lines: this.#count };
  }
}
