// What hostile requests look like: the rows of attacks.jsonl, floods, and random templates and files.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { createHostileFile } from "../../../test/helpers/hostile-files.ts";
import { hostileTemplate } from "../../../test/helpers/hostile-templates.ts";
import { requests as plugin } from "../../../test/helpers/plugin-requests.ts";
import { frameOf } from "../../../test/helpers/raw-plugin.ts";
import { seededRandom } from "../../../test/helpers/seeded-random.ts";
import { type Spec, createBuilder } from "./build-spec.ts";

/** What one attack sends, and how the fake model answers it. */
export interface Attack {
  group: "template" | "file" | "answer" | "request" | "changes" | "knowledge" | "flood" | "random";
  /** Unique; the fake model knows the attack by it. */
  name: string;
  /**
   * The body of the request.
   *
   * @param nth another number each time, so that nothing answers from a memory
   */
  body: (nth: number) => string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  /** The text of the model's answer; "Done." where absent. */
  answer?: () => string;
  /** The bytes of the model's answer instead, but for its end, as pieces that are written one by one. */
  pieces?: () => Iterable<string>;
  /** What one connection sends as fast as it is taken, for a second, in place of a request with that body. */
  flood?: Flood;
  /** How many such requests come at once; 1 where absent. */
  parallel?: number;
}

export interface Flood {
  /** Opens a WebSocket first. */
  isSocket: boolean;
  /** Whether the client reads what comes back. */
  reads: boolean;
  /** As it goes over the wire; it is sent again and again. */
  bytes: () => Buffer;
}

/** A line of attacks.jsonl. Texts, lists and variables are specs, of which `build-spec.ts` makes them. */
interface Row {
  /** A name for the spec `as`, in place of an attack. */
  define?: string;
  as?: Spec;
  group: Attack["group"];
  name: string;
  command?: string;
  variables?: Spec;
  /** Further fields of the request. */
  more?: Spec;
  /** Of a definition that comes with the request, and a variable beside the question. */
  templates?: Spec;
  given?: Spec;
  /** Path and language of the editor's file. */
  file?: string;
  content?: Spec;
  /** A body that is sent as it is; so many spaces, packed with gzip. */
  body?: Spec;
  zipped?: number;
  answer?: Spec;
  /** An answer of so many equal events, in pieces of so many characters. */
  events?: { content: Spec; times: number; cut: number };
  parallel?: number;
}

const table = readFileSync(`${import.meta.dirname}/attacks.jsonl`, "utf8")
  .trimEnd()
  .split("\n");
const rows = table.map((line) => JSON.parse(line) as Row);
const { build, print } = createBuilder(
  new Map(rows.flatMap(({ define, as }) => (define === undefined ? [] : [[define, as]]))),
);

function toAttack(row: Row): Attack {
  const { group, name, body, zipped, answer, events, parallel } = row;
  return {
    ...attackBy(group, name, (nth) => toRequest(row, nth)),
    ...(body !== undefined && { body: () => print(body) }),
    ...(zipped !== undefined && {
      body: () => new Uint8Array(gzipSync(Buffer.alloc(zipped, " "))),
      headers: { "content-encoding": "gzip" },
    }),
    ...(answer !== undefined && { answer: () => print(answer) }),
    ...(events !== undefined && { pieces: () => cut(events) }),
    ...(parallel !== undefined && { parallel }),
  };
}

function toRequest(row: Row, nth: number): Asked {
  const { command, variables, more = {}, templates, given, file, content } = row;
  const asked = { command, variables: build(variables), ...Object(build(more)) };
  if (templates !== undefined) {
    const agentDefinition = definitionOf(Object(build(templates)));
    const beside = given === undefined ? [] : [build(given)];
    return { command: "run", agentDefinition, variables: [question("Go."), ...beside] };
  }
  if (file === undefined || content === undefined) return asked;
  const [path, language] = file.split(" ");
  const variable = editor(print(content) + "\n".repeat(nth), path, language);
  return { ...asked, command: command ?? "explain", variables: [variable] };
}

function* cut({ content, times, cut: length }: NonNullable<Row["events"]>): Iterable<string> {
  const text = printEvent({ content: print(content) }, null).repeat(times);
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length);
}

/** A request of the platform, by the command, what its context variables are, and what else it holds. */
interface Asked {
  variables?: unknown;
  [more: string]: unknown;
}

/** An attack by a request; the model is the one that knows the attack's answer. */
export function attackBy(
  group: Attack["group"],
  about: string,
  ask: (nth: number) => Asked,
): Attack {
  const name = `${group}: ${about}`;
  const body = (nth: number): string => {
    const { variables: contextVariables, ...rest } = ask(nth);
    return JSON.stringify({ agent: "rightseat", model: name, ...rest, contextVariables });
  };
  return { group, name, body };
}

export function editor(content: string, path = "a.ts", language = "typescript"): object {
  return { name: "activeEditor", value: { filePath: path, language, content } };
}

function question(value: string): object {
  return { name: "userInputPrompt", value };
}

/** A definition of one command with these templates. */
function definitionOf(templates: readonly string[]): object {
  const messageTemplates = templates.map((template) => ({ role: "user", template }));
  const commands = [{ name: "run", messageTemplates }];
  return { name: "attacker", version: "1", type: "proxy", commands };
}

/** An event of a model's answer. */
export function printEvent(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const chunk = { id: "stall-1", object: "chat.completion.chunk", created: 1, model: "m", choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

// Many small things at once: frames on a WebSocket, and requests that wait for no answers.

const frame = (message: string): Buffer => frameOf(`{"request_id":1,"cmd":${message}`);
const ping = frameOf("x".repeat(125), { opcode: 9 });
const http = (line: string, rest = "\r\n"): Buffer =>
  Buffer.from(`${line} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
const json = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

const floods: [name: string, isSocket: boolean, piece: Buffer, reads?: boolean][] = [
  ["broken JSON", true, frame("")],
  ["nothing", true, frameOf("")],
  ["unknown commands", true, frame('"nothing"}')],
  ["lists of models", true, frame('"list_model"}')],
  ["tasks", true, frameOf(JSON.stringify({ ...plugin.exec_chat, stream: true }))],
  ["pings in text", true, frame('"ping"}')],
  ["pings", true, ping],
  ["pings, pongs unread", true, ping, false],
  ["GET /healthz", false, http("GET /healthz")],
  ["GET /v1/models", false, http("GET /v1/models")],
  ["GET /nowhere", false, http("GET /nowhere")],
  ["POST /", false, http("POST /", json)],
];

const floodAttacks = floods.flatMap(([about, isSocket, piece, reads = true]) =>
  [1, 5].map((parallel): Attack => {
    const bytes = (): Buffer => Buffer.concat(Array.from({ length: 2_000 }, () => piece));
    const name = `a flood of ${about}, ${parallel} at once`;
    return { group: "flood", name, body: () => "", flood: { isSocket, reads, bytes }, parallel };
  }),
);

export const attacks: readonly Attack[] = [
  ...rows.filter(({ define }) => define === undefined).map(toAttack),
  ...floodAttacks,
];

const seed = 20_261_122;

/** So many templates and as many files, the same ones each time. */
export function* randomAttacks(count: number): Generator<Attack> {
  const random = seededRandom(seed);
  for (let nth = 1; nth <= count; nth += 1) {
    const agentDefinition = definitionOf([hostileTemplate(random)]);
    const variables = [question("Why? ".repeat(200)), editor("const a = 1;\n".repeat(2_000))];
    const templated = { command: "run", agentDefinition, variables };
    const name = `random template ${nth}`;
    yield { ...attackBy("random", name, () => templated), name };
    const { path, language, text } = createHostileFile(random);
    const read = { command: "explain", variables: [editor(text, path, language)] };
    const fileName = `random file ${nth} (${language})`;
    yield { ...attackBy("random", fileName, () => read), name: fileName };
  }
}
