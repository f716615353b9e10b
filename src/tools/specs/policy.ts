// The one policy of tools that are made of descriptions: what may be changed where, within which bounds, how often, and
// whether a person is asked.
import * as z from "zod";
import { type Fields, isRecord, parseJson, scanJson } from "../../base/text/json.ts";
import { type AnyTool, type ToolOutcome, type ToolUse, foldName } from "../tool.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { checkSchema, sayProblem } from "../arguments/check-schema.ts";
import { BadArgument } from "./http-parameters.ts";
import {
  type CallLimits,
  type NamedOperation,
  type Operation,
  callLimits,
  createTool,
} from "./operation.ts";
import { parseInvariant } from "./twin.ts";

/** What an argument may be; where several are there all of them count. */
const Bound = z.strictObject({
  min: z.number().optional(),
  max: z.number().optional(),
  oneOf: z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .max(1_000)
    .optional(),
  /** It must be there. */
  required: z.boolean().optional(),
});
type Bound = z.infer<typeof Bound>;

/** How what is granted may be called. A field that nobody knows is refused, as it would bound nothing. */
const ToolRule = z.strictObject({
  /** A person allows each call. */
  ask: z.boolean().optional(),
  /** By name or path: `amount` is every field of this name, `body.amount` those within `body`. */
  arguments: z
    .record(z.string().min(1).max(200), Bound)
    .refine((bounds) => Object.keys(bounds).length <= 100, "has more than 100 entries")
    .optional(),
  /** Each write is made where nothing is changed first: against its schema, and in a twin of a device. */
  rehearse: z.boolean().optional(),
  /** Of a device, after a write: `register 3 <= register 4`. */
  invariants: z
    .array(z.string().max(200).refine(isInvariant, "is not like register 3 <= register 4."))
    .max(50)
    .optional(),
  perMinute: z.int().min(1).max(1_000).optional(),
  /** Until the answer is there, in milliseconds. */
  timeout: z.int().min(1).max(600_000).optional(),
  /** Of an answer, in bytes. */
  maxAnswer: z.int().min(1).max(10_485_760).optional(),
});
export type ToolRule = z.infer<typeof ToolRule>;

function isInvariant(text: string): boolean {
  return parseInvariant(text) !== undefined;
}

const grantForm = /^(?:[A-Za-z]{3,7} \/[^@\s]*|[^@\s]+)@[^@\s]+$/;

/**
 * Grants and their rules. A grant is `WHAT@HOST`: the name of a tool, a method, a method with a path or `*`, and the host
 * with its port where it has one: `createPet@api.example.com`, `POST@api.example.com`, `POST /v1/pets/{id}@api.example.com`,
 * `WRITE@192.168.0.7:502`, `*@api.example.com`. A list of grants has no rules.
 */
export const ToolPolicy = z.preprocess(
  (given) =>
    Array.isArray(given) && given.every((grant) => typeof grant === "string")
      ? Object.fromEntries(given.map((grant) => [grant, {}]))
      : given,
  z
    .record(z.string(), ToolRule)
    .refine((policy) => Object.keys(policy).length <= 300, "has more than 300 entries")
    .superRefine((policy, context) => {
      // By its number: what somebody wrote there by mistake may be a secret.
      for (const [nth, grant] of Object.keys(policy).entries())
        if (!grantForm.test(grant))
          context.addIssue({
            code: "custom",
            path: [nth],
            message: "is not WHAT@HOST, such as POST@api.example.com.",
          });
    }),
);
export type ToolPolicy = z.infer<typeof ToolPolicy>;

/** Counts a call, for as long as a session lasts; false where there were as many within a minute. */
export type CountCall = (grant: string, perMinute: number) => boolean | Promise<boolean>;

/** Counts in the memory of this process. @param now in milliseconds */
export function countCalls(now: () => number): CountCall {
  const calls = new Map<string, number[]>();
  return (grant, perMinute) => {
    // A clock may be set back.
    const recent = (calls.get(grant) ?? []).filter((time) => Math.abs(now() - time) < minute);
    const isFree = recent.length < perMinute;
    calls.set(grant, isFree ? [...recent, now()] : recent);
    return isFree;
  };
}

const minute = 60_000;

export interface GuardUse {
  /** What the session itself allows, of what is granted. */
  narrowed?: ToolPolicy | undefined;
  /** Without it what has a rate is refused. */
  countCall?: CountCall | undefined;
  /** What is granted is asked for, too, each call by itself. */
  asks?: boolean | undefined;
}

interface FoundRule {
  grant: string;
  rule: ToolRule;
}

/**
 * A tool under the policy: what only reads may be called, what writes needs a grant of the operator's, and of the
 * session's own policy where it has one. The rules of both hold. Of several grants the most exact counts: a name, then a
 * path, then a method, then `*`.
 */
export function guardTool(named: NamedOperation, granted: ToolPolicy, use: GuardUse = {}): AnyTool {
  const { name, operation } = named;
  const { effect, host } = operation;
  const all = [granted, ...(use.narrowed === undefined ? [] : [use.narrowed])];
  // What the client itself answers is its own affair.
  const policies = host === "" ? [] : all;
  const found = policies.map((policy) => findRule(policy, name, operation));
  const always = use.asks === true && effect === "write" ? { ask: true } : {};
  const rules = found
    .filter((each) => each !== undefined)
    .map(({ grant, rule }) => ({ grant, rule: { ...rule, ...always } }));
  if (effect === "write" && rules.length < policies.length) {
    const isOperator = found.indexOf(undefined) === 0;
    const text = notGranted(name, host, isOperator);
    return createTool(named, async (_, { locale }) => refuse(operation, [403, text], locale));
  }
  const [first, second] = found;
  const least = (word: keyof CallLimits): number =>
    Math.min(first?.rule[word] ?? callLimits[word], second?.rule[word] ?? Infinity);
  const limits = { timeout: least("timeout"), maxAnswer: least("maxAnswer") };
  const isFree = rules.every(({ rule }) => Object.keys(rule).length === 0);
  const guarded = { ...named, rules, isFree, countCall: use.countCall, limits };
  return createTool(named, (input, given) => callGuarded(guarded, input, given));
}

function findRule(policy: ToolPolicy, name: string, operation: Operation): FoundRule | undefined {
  const fitting = Object.entries(policy).flatMap(([grant, rule]) => {
    const rank = rankOf(grant, name, operation);
    return rank === undefined ? [] : [{ grant, rule, rank }];
  });
  return fitting.sort((a, b) => a.rank - b.rank)[0];
}

/** How exactly a grant means a tool, 0 at best; undefined where it does not. */
function rankOf(grant: string, name: string, { host, method, path }: Operation) {
  const at = grant.lastIndexOf("@");
  const [what, where] = [grant.slice(0, at).trim(), grant.slice(at + 1).trim()];
  if (at < 1 || where.toLowerCase() !== host.toLowerCase()) return undefined;
  const [word = "", wanted] = what.split(" ");
  // A tool may not take a right by being named like a method.
  const isVerb = verbs.has(word.toUpperCase()) && verbs.has(method);
  const isMethod = isVerb && word.toUpperCase() === method;
  if (wanted !== undefined)
    return isMethod && path !== undefined && fitsPath(path, wanted) ? 1 : undefined;
  if (isVerb) return isMethod ? 2 : undefined;
  if (what === name) return 0;
  if (what.toUpperCase() === method) return 2;
  return what === "*" ? 3 : undefined;
}

const verbs = new Set("GET PUT POST DELETE OPTIONS HEAD PATCH QUERY READ WRITE".split(" "));

/** Whether all that a template can become is within a grant: `{id}` there means one step, whatever it is. */
function fitsPath(template: string, granted: string): boolean {
  const [steps, wanted] = [template.split("/"), granted.split("/")];
  return (
    steps.length === wanted.length &&
    wanted.every((want, at) => (/^\{[^{}]*\}$/.test(want) ? steps[at] !== "" : want === steps[at]))
  );
}

interface Guarded extends NamedOperation, Pick<GuardUse, "countCall"> {
  rules: readonly FoundRule[];
  /** No rule says anything. */
  isFree: boolean;
  limits: CallLimits;
}

type Refusal = readonly [statusCode: number, text: Message];

/** The result of a call that is not made. */
function refuse(
  { says }: Operation,
  [statusCode, text]: Refusal,
  locale: ToolUse["locale"],
): ToolOutcome {
  return { success: false, statusCode, [says]: text[locale] };
}

/** Whatever is refused is so before anything is sent. */
async function callGuarded(guarded: Guarded, given: Fields, use: ToolUse): Promise<ToolOutcome> {
  const { operation, limits, isFree } = guarded;
  const input = isFree ? given : listSent(given, operation);
  const check = async (): Promise<Refusal | undefined> =>
    findProblem(guarded, input) ?? (await rehearse(guarded, input, use)) ?? (await spend(guarded));
  const runUnless = async (refused: Refusal | undefined): Promise<ToolOutcome> =>
    refused === undefined
      ? await operation.run(input, { ...use, limits })
      : refuse(operation, refused, use.locale);
  const hold = (work: () => Promise<ToolOutcome>): Promise<ToolOutcome> =>
    operation.hold?.(work) ?? work();
  try {
    if (isFree) return await runUnless(undefined);
    if (!guarded.rules.some(({ rule }) => rule.ask === true))
      return await hold(async () => runUnless(await check()));
    const refused = (await check()) ?? (await ask(guarded, input, use));
    if (refused !== undefined) return await runUnless(refused);
    // While the person thought the device has gone on.
    return await hold(async () => runUnless(await rehearse(guarded, input, use)));
  } catch (thrown) {
    if (!(thrown instanceof BadArgument)) throw thrown;
    return refuse(operation, [400, { en: thrown.message, zh: thrown.message }], use.locale);
  }
}

/** @throws BadArgument */
function findProblem({ name, operation, rules }: Guarded, input: Fields): Refusal | undefined {
  const bounds = rules.flatMap(({ rule }) => Object.entries(rule.arguments ?? {}));
  if (bounds.length === 0) return undefined;
  const parts = listParts([input, operation.fixed]);
  for (const [argument, bound] of bounds) {
    const found = findBroken(parts, argument, bound);
    if (found !== undefined) return [403, outOfBounds(name, argument, found)];
  }
  return undefined;
}

/** @throws BadArgument, and the signal's reason */
async function rehearse(
  { operation, rules, limits }: Guarded,
  input: Fields,
  use: ToolUse,
): Promise<Refusal | undefined> {
  const invariants = rules.flatMap(({ rule }) => (rule.invariants ?? []).map(parseInvariant));
  const isWanted = invariants.length > 0 || rules.some(({ rule }) => rule.rehearse === true);
  if (!isWanted || operation.effect === "read") return undefined;
  const [wrong] = checkSchema(operation.schema(), input, 1);
  if (wrong !== undefined) throw new BadArgument(sayProblem(wrong, use.locale));
  if (invariants.length > 0 && operation.hasRegisters !== true) return [403, noRegisters];
  const known = invariants.filter((each) => each !== undefined);
  const problem = await operation.rehearse?.(input, known, { ...use, limits });
  return problem && [403, problem];
}

async function spend({ rules, countCall }: Guarded): Promise<Refusal | undefined> {
  for (const [at, { grant, rule }] of rules.entries()) {
    const { perMinute } = rule;
    if (perMinute === undefined) continue;
    if ((await countCall?.(`${at} ${grant}`, perMinute)) !== true)
      return [429, tooOften(perMinute)];
  }
  return undefined;
}

/** @throws the signal's reason */
async function ask(
  { name, operation }: Guarded,
  input: Fields,
  use: ToolUse,
): Promise<Refusal | undefined> {
  const { askCall, callId, signal } = use;
  if (askCall === undefined) return [403, nobodyToAsk(name)];
  const id = callId === undefined ? {} : { id: callId };
  const version = operation.version === undefined ? {} : { version: operation.version };
  const call = { ...id, tool: name, target: operation.host, ...version, arguments: input };
  const decision = await askCall(call, signal);
  if (decision.ok) return undefined;
  const { reason } = decision;
  return [403, { en: `Nothing was sent: ${reason}`, zh: `没有发送任何请求：${reason}` }];
}

/** The arguments that are sent: of the others nobody is asked, and no rule is kept by them. */
function listSent(input: Fields, operation: Operation): Fields {
  const { properties } = operation.schema();
  const isSent = (name: string): boolean =>
    (isRecord(properties) && Object.hasOwn(properties, name)) ||
    operation.takesOther?.(name) === true;
  return Object.fromEntries(Object.entries(input).filter(([name]) => isSent(name)));
}

/** What is somewhere in arguments, behind the names that lead there: `.body.amount`. */
interface Part {
  path: string;
  value: unknown;
}

/** What is wrong with the parts that a name or path means; undefined where all are within the bound. */
function findBroken(parts: readonly Part[], name: string, bound: Bound): Message | undefined {
  const wanted = `.${name.split(".").map(foldName).join(".")}`;
  const meant = parts.filter(({ path }) => path.endsWith(wanted));
  for (const { value } of meant) {
    const found = sayBroken(value, bound);
    if (found !== undefined) return found;
  }
  // What is null is left out of an address.
  const isThere = meant.some(({ value }) => value !== null);
  if (isThere || bound.required !== true) return undefined;
  return { en: "must be there", zh: "不能缺少" };
}

const limits = { maxDepth: 64, maxValues: 100_000 };
/** Of a path, from its end; as long as any that a rule can name. */
const maxPath = 400;

/** All parts of what is sent, the items of a list each by itself. @throws BadArgument */
function listParts(sent: unknown): Part[] {
  const parts: Part[] = [];
  const visit = (given: unknown, path: string): void => {
    // A text of JSON is what its server reads.
    const value = typeof given === "string" ? (parseNested(given) ?? given) : given;
    if (Array.isArray(value)) return value.forEach((item) => visit(item, path));
    parts.push({ path, value });
    if (!isRecord(value)) return;
    for (const [key, item] of Object.entries(value))
      visit(item, `${path}.${foldName(key.slice(-maxPath))}`.slice(-maxPath));
  };
  visit(sent, "");
  return parts;
}

/** @throws BadArgument where nobody can say what it holds */
function parseNested(text: string): unknown {
  if (!/^\s*[{[]/.test(text.slice(0, 1_000))) return undefined;
  if (scanJson(text, limits) !== undefined)
    throw new BadArgument("a text is nested too deeply, or has too many values");
  return parseJson(text);
}

function sayBroken(value: unknown, { min, max, oneOf }: Bound): Message | undefined {
  if (oneOf !== undefined && !oneOf.some((one) => one === value)) {
    const choices = oneOf.map((one) => JSON.stringify(one));
    return {
      en: `must be one of ${choices.join(", ")}`,
      zh: `应为以下之一：${choices.join("、")}`,
    };
  }
  if (min === undefined && max === undefined) return undefined;
  // Nothing that servers read in several ways, as 0x10 or 010.
  const isPlain = typeof value === "string" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value);
  const number = typeof value === "number" || isPlain ? Number(value) : NaN;
  if (Number.isFinite(number) && number >= (min ?? number) && number <= (max ?? number))
    return undefined;
  const [from, to] = [min ?? "-∞", max ?? "∞"];
  return {
    en: `must be a number from ${from} to ${to}`,
    zh: `应为 ${from} 到 ${to} 之间的数字`,
  };
}

const nothingSent = {
  en: "Nothing was sent. Do not try again; tell the person.",
  zh: "没有发送任何请求。请勿重试，请告知用户。",
};

const notGranted = (name: string, host: string, isOperator: boolean): Message => ({
  en: `${name} changes something at ${host}, and ${isOperator ? "the operator" : "this session"} has not allowed that. ${nothingSent.en}`,
  zh: `${name} 会更改 ${host} 上的数据，${isOperator ? "管理员" : "该会话"}未允许此操作。${nothingSent.zh}`,
});

const noRegisters: Message = {
  en: "The operator has set invariants for this, and it has no registers that could be looked at. Nothing was sent.",
  zh: "管理员为此设定了不变式，但它没有可供检查的寄存器。没有发送任何请求。",
};

const nobodyToAsk = (name: string): Message => ({
  en: `A person has to allow each call of ${name}, and nobody can be asked here. ${nothingSent.en}`,
  zh: `${name} 的每次调用都需要用户批准，而此处无法询问用户。${nothingSent.zh}`,
});

const tooOften = (perMinute: number): Message => ({
  en: `This may be called ${perMinute} times in a minute, and was. Nothing was sent. Go on without it, or tell the person.`,
  zh: `该调用每分钟最多 ${perMinute} 次，已达到上限。没有发送任何请求。请继续其他步骤，或告知用户。`,
});

const outOfBounds = (tool: string, name: string, { en, zh }: Message): Message => ({
  en: `The operator has set bounds for ${tool}: ${name} ${en}. Nothing was sent.`,
  zh: `管理员为 ${tool} 设定了范围：${name} ${zh}。没有发送任何请求。`,
});
