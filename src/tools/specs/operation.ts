// What a description of any kind is read as, and the tools that are made of it, with their names.
import * as z from "zod";
import type { Fields } from "../../base/text/json.ts";
import { AppError, type Message } from "../../base/errors/app-error.ts";
import { describeConnection } from "../../base/errors/describe-cause.ts";
import { type AnyTool, type ToolOutcome, type ToolUse, foldName } from "../tool.ts";
import type { JsonSchema } from "../arguments/check-schema.ts";
import type { Invariant } from "./twin.ts";

/** One thing that a description says can be called. */
export interface Operation {
  /** As the description or its rules name it. */
  name: string;
  /** What it is called without its name, as `GET /pets/{petId}`; no other of the description is. */
  id: string;
  description: string;
  schema(): JsonSchema;
  /** Whether an argument that the schema does not list is sent, too; without this none is. */
  takesOther?(name: string): boolean;
  /** Puts arguments that are in another place than the schema has them where they belong. */
  fit?(given: Fields): Fields | undefined;
  effect: "read" | "write";
  /** Where it goes: `api.example.com`, `192.168.0.7:502`; empty for what the client answers. */
  host: string;
  /** In a grant: `POST`, `WRITE`. */
  method: string;
  /** What of the address a grant may name: `/v1/pets/{petId}`. */
  path?: string;
  /** What is sent besides the arguments, since the description says so. */
  fixed?: readonly Fields[];
  /** What it was described as: another one ends earlier approvals. Absent where descriptions never change. */
  version?: string;
  /** The field of results that says what went wrong. */
  says: "body" | "message";
  /**
   * Makes a write where nothing is changed by it.
   *
   * @returns why it must not be made
   * @throws BadArgument, and the signal's reason
   */
  rehearse?(
    input: Fields,
    invariants: readonly Invariant[],
    use: OperationUse,
  ): Promise<Message | undefined>;
  /** It is a device's, in whose registers invariants can be looked at. */
  hasRegisters?: boolean;
  /** Does a rehearsal and the write behind it, while nobody else does that there. */
  hold?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws BadArgument, and the signal's reason */
  run(input: Fields, use: OperationUse): Promise<ToolOutcome>;
}

export type OperationUse = Pick<ToolUse, "signal" | "locale" | "callId"> & { limits: CallLimits };

/** Of one call. */
export interface CallLimits {
  /** Until the whole answer is there, in milliseconds. */
  timeout: number;
  /** Of an answer, in bytes; the rest is left out. */
  maxAnswer: number;
}

/** Where no rule says others. */
export const callLimits: CallLimits = { timeout: 60_000, maxAnswer: 65_536 };

/**
 * Makes a call within its time. Of a failure comes 504 for silence, 500 where nobody can be reached.
 *
 * @param who is called
 * @throws the signal's reason
 */
export async function callInTime(
  { signal, limits: { timeout: most } }: OperationUse,
  who: "server" | "device",
  work: (signal: AbortSignal) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const timeout = AbortSignal.timeout(most);
  const failed = (statusCode: number, text: string): ToolOutcome => ({
    success: false,
    statusCode,
    [who === "device" ? "message" : "body"]: text,
  });
  try {
    return await work(AbortSignal.any([signal, timeout]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (timeout.aborted) return failed(504, `The ${who} did not answer within ${most} ms.`);
    if (thrown instanceof Refused) return failed(thrown.code, thrown.message);
    if (thrown instanceof AppError) return failed(thrown.status, thrown.message);
    return failed(500, `The ${who} could not be reached: ${describeConnection(thrown)}.`);
  }
}

/** What the other side says in place of an answer. */
export class Refused extends Error {
  /** As the model reads it. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Of all descriptions of a list together. */
export const maxOperations = 10_000;
const maxName = 64;

/** A list of names, as entries include and exclude them. */
export const names = z.array(z.string().max(1_000)).max(1_000);

/**
 * Whether an operation is kept, by any of its names; `get*` means all that begin so.
 *
 * @param include all where undefined
 */
export function chooser(
  include: readonly string[] | undefined,
  exclude: readonly string[],
): (toolName: string, operation: Pick<Operation, "name" | "id">) => boolean {
  const [isIncluded, isExcluded] = [matcher(include ?? ["*"]), matcher(exclude)];
  return (toolName, { name, id }) => {
    const own = [toolName, name, id];
    return own.some(isIncluded) && !own.some(isExcluded);
  };
}

function matcher(list: readonly string[]): (name: string) => boolean {
  const beginnings = list.filter((one) => one.endsWith("*")).map((one) => one.slice(0, -1));
  const whole = new Set(list.filter((one) => !one.endsWith("*")).map(foldName));
  return (name) =>
    whole.has(foldName(name)) || beginnings.some((beginning) => name.startsWith(beginning));
}

const maxDescription = 1_024;

export interface NamedOperation {
  /** That of its tool. */
  name: string;
  operation: Operation;
}

/**
 * Operations with names that models may write, each once, whatever case, dots and dashes are in them. The name of an
 * operation depends on those before it only.
 *
 * @param taken names that are in use already; those of the operations are added
 */
export function nameOperations(
  operations: readonly Operation[],
  taken: Set<string>,
): NamedOperation[] {
  return operations.map((operation) => {
    const name = freeName(operation, taken);
    taken.add(foldName(name));
    return { name, operation };
  });
}

export function freeName(
  { name, id }: Pick<Operation, "name" | "id">,
  taken: ReadonlySet<string>,
): string {
  const clean = cleanName(name) || "call";
  const whole = /^[A-Za-z]/.test(clean) ? clean : `call-${clean}`;
  if (whole.length <= maxName && !taken.has(foldName(whole))) return whole;
  for (let nth = 0; ; nth++) {
    const ending = `-${hash(`${id} ${name} ${nth || ""}`)}`;
    const short = whole.slice(0, maxName - ending.length) + ending;
    if (!taken.has(foldName(short))) return short;
  }
}

/** Signs that no server takes in a name become dashes. */
export function cleanName(name: string): string {
  return name
    .replaceAll(/[^\w-]+/g, "-")
    .replace(/^[-_]+/, "")
    .replace(/-$/, "");
}

/** Six letters and digits, the same for the same text. */
export function hash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b) + at;
  }
  const number = (low >>> 0) + (high >>> 0) * 0x1_0000_0000;
  return number.toString(36).padStart(6, "0").slice(-6);
}

const anyFields = z.looseObject({});

export function createTool(
  { name, operation }: NamedOperation,
  run: (input: Fields, use: ToolUse) => Promise<ToolOutcome>,
): AnyTool {
  const text = operation.description.slice(0, maxDescription).toWellFormed();
  const otherName = cleanName(operation.id);
  return {
    name,
    ...(otherName === "" || otherName === name ? {} : { otherNames: [otherName] }),
    description: { en: text, zh: text },
    input: anyFields,
    // Most are never shown where there are many, so each is made when it is first asked for.
    get schema() {
      return operation.schema();
    },
    fields: {},
    ...(operation.fit === undefined ? {} : { fit: (given: Fields) => operation.fit?.(given) }),
    effect: operation.effect,
    // A model may wait for something that it reads.
    mayRepeat: operation.effect === "read",
    isBare: true,
    run: (input, use) => run(input as Fields, use),
  };
}
