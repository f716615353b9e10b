// What a description of any kind is read as, and the tools that are made of it: names, and the one policy of rights.
import * as z from "zod";
import { type AnyTool, type ToolOutcome, type ToolUse, foldName } from "../tool.ts";
import type { JsonSchema } from "../arguments/check-schema.ts";
import { BadArgument } from "./http-parameters.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One thing that a description says can be called. */
export interface Operation {
  /** As the description or its rules name it. */
  name: string;
  /** What it is called without its name, as `GET /pets/{petId}`; no other of the description is. */
  id: string;
  description: string;
  schema(): JsonSchema;
  /** Puts arguments that are in another place than the schema has them where they belong. */
  fit?(given: Fields): Fields | undefined;
  effect: "read" | "write";
  /** Where it goes: `api.example.com`, `192.168.0.7:502`; empty for what the client answers. */
  host: string;
  /** In a grant: `POST`, `WRITE`. */
  method: string;
  /** The field of results that says what went wrong. */
  says: "body" | "message";
  /** @throws BadArgument, and the signal's reason */
  run(input: Fields, use: Pick<ToolUse, "signal" | "locale">): Promise<ToolOutcome>;
}

const maxName = 64;
const maxDescription = 1_024;

/**
 * Tools with names that models may write, each once, whatever case, dots and dashes are in them. The name of an
 * operation depends on those before it only.
 *
 * @param taken names that are in use already; those of the tools are added
 */
export function nameOperations(
  operations: readonly Operation[],
  taken: Set<string>,
): { tool: AnyTool; operation: Operation }[] {
  return operations.map((operation) => {
    const name = freeName(operation, taken);
    taken.add(foldName(name));
    return { tool: createTool(operation, name), operation };
  });
}

function freeName({ name, id }: Operation, taken: ReadonlySet<string>): string {
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
function cleanName(name: string): string {
  return name
    .replaceAll(/[^\w-]+/g, "-")
    .replace(/^[-_]+/, "")
    .replace(/-$/, "");
}

/**
 * What servers take as the name of an argument, each once.
 *
 * @param other what is put behind a name that there is already
 * @param taken in lower case; the name is added
 */
export function freeKey(name: string, other: string, taken: Set<string>): string {
  const clean =
    name
      .replaceAll(/[^\w.-]+/g, "_")
      .replace(/(?<=.)_$/, "")
      .slice(0, 50) || other;
  let key = clean;
  for (let nth = 1; taken.has(foldName(key)); nth++)
    key = `${clean}_${nth === 1 ? other : hash(`${name} ${other} ${nth}`)}`;
  taken.add(foldName(key));
  return key;
}

/** Six letters and digits, the same for the same text. */
function hash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b) + at;
  }
  const number = (low >>> 0) + (high >>> 0) * 0x1_0000_0000;
  return number.toString(36).padStart(6, "0").slice(-6);
}

const anyFields = z.looseObject({});

function createTool(operation: Operation, name: string): AnyTool {
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
    async run(input, use) {
      try {
        return await operation.run(input as Fields, use);
      } catch (thrown) {
        if (thrown instanceof BadArgument) return refusal(operation, 400, thrown.message);
        throw thrown;
      }
    },
  };
}

function refusal({ says }: Operation, statusCode: number, text: string): ToolOutcome {
  return { success: false, statusCode, [says]: text };
}

/**
 * The policy of tools that are made of descriptions: what only reads may be called, what writes needs a grant of the
 * operator's. A grant is `WHAT@HOST`: the name of a tool, a method or `*`, and the host with its port where it has one:
 * `createPet@api.example.com`, `POST@api.example.com`, `WRITE@192.168.0.7:502`, `*@api.example.com`. A grant says where,
 * so that a client who names a tool alike gets nothing.
 *
 * @param asks somebody is asked for each call that is granted, too
 */
export function guardTool(
  { tool, operation }: { tool: AnyTool; operation: Operation },
  grants: readonly string[],
  asks = false,
): AnyTool {
  const { effect, host, method } = operation;
  // What the client itself answers is its own affair.
  if (effect === "read" || host === "") return tool;
  const isGranted = grants.some((grant) => {
    const at = grant.lastIndexOf("@");
    const what = grant.slice(0, at).trim();
    const isHost =
      grant
        .slice(at + 1)
        .trim()
        .toLowerCase() === host.toLowerCase();
    return (
      at > 0 && isHost && (what === "*" || what === tool.name || what.toUpperCase() === method)
    );
  });
  if (isGranted && !asks) return tool;
  const run: AnyTool["run"] = async (input, use) => {
    const { askCall, locale, signal } = use;
    if (!isGranted) return refusal(operation, 403, notGranted(tool.name, host)[locale]);
    const asked = { tool: tool.name, target: host, arguments: input as Fields };
    const decision = await askCall?.(asked, signal);
    if (decision?.ok === true) return tool.run(input, use);
    return refusal(operation, 403, notAllowed(decision?.reason ?? "")[locale]);
  };
  const own = Object.getOwnPropertyDescriptors(tool);
  return Object.defineProperties({}, { ...own, run: { value: run, enumerable: true } }) as AnyTool;
}

function notAllowed(reason: string): { en: string; zh: string } {
  return { en: `Nothing was sent: ${reason}`, zh: `没有发送任何请求：${reason}` };
}

function notGranted(name: string, host: string): { en: string; zh: string } {
  return {
    en: `${name} changes something at ${host}, and the operator has not allowed that. Nothing was sent. Do not try again; tell the person.`,
    zh: `${name} 会更改 ${host} 上的数据，管理员未允许此操作。没有发送任何请求。请勿重试，请告知用户。`,
  };
}
