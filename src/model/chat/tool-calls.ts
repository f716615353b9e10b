// Calls of tools in a streamed answer, as the many servers of the chat completions API write them.
import { isRecord } from "../../base/text/json.ts";
import { AppError } from "../../base/errors/app-error.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import type { UpstreamDelta } from "./chat-chunk.ts";

/** What one chunk says of one call. A text that is absent is empty. */
export interface CallPart {
  /** Which of the parallel calls is meant; undefined where the server does not number them. */
  slot: string | undefined;
  id: string;
  name: string;
  arguments: string;
}

/** The old form, `function_call`, has one call. */
const oldSlot = "function_call";
/** Of one answer that are read; whoever runs them runs fewer, and tells the model so. */
const maxCalls = 2_048;
/** Longer ids are not taken; they would come back with each request. */
const maxId = 512;

/**
 * The calls in a delta, in their order; what is of no documented type is passed over.
 *
 * @throws AppError `upstream_invalid` where arguments are nested too deeply to be printed
 */
export function readCallParts(delta: UpstreamDelta): readonly CallPart[] {
  const { tool_calls: list, function_call: old } = delta;
  const parts = (list ?? []).filter(isRecord).map((entry): CallPart => {
    const { index, id } = entry;
    const isNumbered = typeof index === "number" || typeof index === "string";
    return {
      slot: isNumbered ? String(index) : undefined,
      id: typeof id === "string" && id.length <= maxId ? id : "",
      ...readFunction(entry["function"]),
    };
  });
  if (old) parts.push({ slot: oldSlot, id: "", ...readFunction(old) });
  return parts;
}

function readFunction(value: unknown): Pick<CallPart, "name" | "arguments"> {
  if (!isRecord(value)) return { name: "", arguments: "" };
  const { name, arguments: given } = value;
  return { name: typeof name === "string" ? name : "", arguments: printArguments(given) };
}

/** Some servers send the object itself. */
function printArguments(given: unknown): string {
  if (typeof given === "string") return given;
  if (!isRecord(given)) return "";
  try {
    return JSON.stringify(given);
  } catch (cause) {
    throw new AppError(
      "upstream_invalid",
      { en: "The arguments of a tool call are nested too deeply.", zh: "工具调用的参数嵌套过深。" },
      { cause },
    );
  }
}

/** Whether a part calls something: an id or a number alone does not. */
export function isCall({ name, arguments: given }: CallPart): boolean {
  return name !== "" || given !== "";
}

export class ToolCalls {
  /** In the order in which they began. */
  readonly #calls: CallPart[] = [];
  /** The newest call of each slot, and of each id. */
  readonly #bySlot = new Map<string, CallPart>();
  readonly #byId = new Map<string, CallPart>();

  /**
   * Takes the next part. It belongs to the call of its slot or its id, or else to the last one; a new id,
   * or a name where the call has its own already, begins a new call.
   *
   * @throws AppError `upstream_too_large` when there are more calls than allowed
   */
  add(part: CallPart): void {
    const known = this.#find(part);
    if (known === undefined || !continues(known, part)) {
      this.#begin({ ...part });
      return;
    }
    if (!isRepeated(known, part)) known.name += part.name;
    known.arguments += part.arguments;
    if (known.id === "" && part.id !== "") {
      known.id = part.id;
      this.#byId.set(part.id, known);
    }
  }

  /**
   * All calls, in the order in which they began.
   *
   * @param idOf makes the id of the n-th call where the server gave none, or one that another call has
   * @throws AppError `upstream_invalid` when a call has arguments but no name
   */
  list(idOf: (nth: number) => string): ToolCall[] {
    const ids = new Set<string>();
    const calls: ToolCall[] = [];
    for (const { id, name, arguments: given } of this.#calls.filter(isCall)) {
      if (name === "") {
        throw new AppError("upstream_invalid", {
          en: "The model called a tool without naming it.",
          zh: "模型调用工具时没有给出名称。",
        });
      }
      const ownId = id === "" || ids.has(id) ? idOf(calls.length + 1) : id;
      ids.add(ownId);
      calls.push({ id: ownId, name, arguments: given });
    }
    return calls;
  }

  #find({ slot, id, name }: CallPart): CallPart | undefined {
    const sameId = id === "" ? undefined : this.#byId.get(id);
    if (slot === undefined) {
      const last = this.#calls.at(-1);
      const isLast = id === "" || (name === "" && last?.id === "");
      return sameId ?? (isLast ? last : undefined);
    }
    const known = this.#bySlot.get(slot);
    if (known === undefined || id === "" || known.id === "" || known.id === id) return known;
    // Servers that give every call the same number tell them apart by their ids.
    return sameId?.slot === slot ? sameId : undefined;
  }

  #begin(call: CallPart): void {
    if (this.#calls.length >= maxCalls) {
      throw new AppError("upstream_too_large", {
        en: `The model called more than ${maxCalls} tools in one answer.`,
        zh: `模型在一次回答中调用的工具超过 ${maxCalls} 个。`,
      });
    }
    this.#calls.push(call);
    if (call.slot !== undefined) this.#bySlot.set(call.slot, call);
    if (call.id !== "") this.#byId.set(call.id, call);
  }
}

/** Whether a part that was found to mean this call can be one of it. */
function continues(call: CallPart, part: CallPart): boolean {
  if (part.name === "" || call.name === "" || isRepeated(call, part)) return true;
  // What comes before the arguments is the rest of the name, if slot or id say that it is the same call.
  return call.arguments === "" && (part.slot !== undefined || call.id !== "");
}

/** Some servers say the whole name in every chunk. */
function isRepeated(call: CallPart, part: CallPart): boolean {
  if (part.name !== call.name) return false;
  const isSame = part.id !== "" && part.id === call.id;
  return isSame || (part.slot === oldSlot && call.arguments !== "");
}
