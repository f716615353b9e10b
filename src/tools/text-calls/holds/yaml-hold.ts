import type { Toolbox } from "../../tool.ts";
import { callsOf } from "../named-calls.ts";
import { readYaml } from "../read-yaml.ts";
import type { Held, Hold } from "./hold.ts";
import { maxHeld } from "./json-hold.ts";

const start = /^tool(?:_name)?:[ \t]+["']?([\w.]{1,64})["']?$/;
const field =
  /^(?:reason|explanation|params|parameters|arguments|args|input|[a-z]+_[a-z_]+):(?:[ \t]|$)/;

/** Takes a call in YAML without a fence, if one begins with the line. */
export function beginYaml(line: string, toolbox: Toolbox): Hold | undefined {
  const [, name] = start.exec(line.slice(0, 200).trimEnd()) ?? [];
  return name !== undefined && toolbox.find(name) !== undefined ? new YamlHold(toolbox) : undefined;
}

/** Goes on to the first line that is neither indented nor a field of a call. */
class YamlHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    const isPart =
      this.#lines.length === 0 || /^(?:[ \t]|$)/.test(line) || field.test(line.slice(0, 100));
    this.#length += line.length;
    if (!isPart || this.#length > maxHeld) return this.#read();
    this.#lines.push(line);
    return undefined;
  }

  end(isStopped: boolean): Held {
    return isStopped ? this.#read() : { kind: "quote", lines: this.#lines.length };
  }

  #read(): Held {
    const calls = callsOf(readYaml(this.#lines), this.#toolbox, false);
    const last = this.#lines.findLastIndex((line) => line.trim() !== "") + 1;
    return calls === undefined
      ? { kind: "text", lines: this.#lines.length }
      : { kind: "calls", calls, lines: last };
  }
}
