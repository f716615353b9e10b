import { parseJson } from "../../base/text/json.ts";
import { type CliTexts } from "../texts.ts";
import * as z from "zod";
import { type UpstreamFacts, describeUpstream } from "../../base/errors/app-error.ts";
import { CliError } from "../cli-error.ts";
import type { CallRequest } from "./collect/build-request.ts";
import { escapeControls } from "./show/escape-controls.ts";
import { type PrintedAnswer, printAnswer, printRefusal, readAnswer } from "./show/print-answer.ts";
import { type Terminal, note, widthOf } from "./terminal.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import { createProxyFetch } from "../../base/wire/proxies.node.ts";
import { describeUnreachable } from "../fail-with.ts";
import type { LocalApp } from "../create-local-app.ts";

export interface SendOptions {
  endpoint: Endpoint;
  terminal: Terminal;
  signal: AbortSignal;
  receipt: boolean;
  raw: boolean;
  texts: CliTexts;
}

/**
 * Sends a request and prints what comes back. Until then the terminal names what is awaited.
 *
 * @param step what the person knows the request by
 * @throws CliError when nobody answers, or with something else than a stream; on an abort, nothing
 * or whatever fetch throws
 */
export async function sendRequest(
  request: CallRequest,
  options: SendOptions,
  step = request.command,
): Promise<PrintedAnswer> {
  const { endpoint, terminal, texts, signal } = options;
  terminal.wait(step);
  try {
    const response = await endpoint.send(request, signal);
    const failed = { actions: [], edits: [], failed: true };
    if (signal.aborted) return failed;
    if (!response.ok) {
      explainFailure(await printRefusal(response, terminal, texts), options);
      return failed;
    }
    const type = response.headers.get("content-type") ?? "none";
    if (!/^text\/event-stream\b/i.test(type))
      throw new CliError(
        `The answer is not an event stream (Content-Type ${JSON.stringify(type)}). Is --url the address of an agent?`,
      );
    const receipt = response.headers.get("x-rightseat-context");
    if (options.receipt) {
      printReceipt(receipt, terminal, texts);
      terminal.wait(step);
    }
    if (options.raw) return await printBytes(response, options);
    const parts = readAnswer(readBody(response, signal), signal);
    const { model } = request;
    const onModel =
      model === undefined ? undefined : createModelNote(model, parseReceipt(receipt), options);
    const printed = await printAnswer(parts, terminal, texts, onModel);
    explainFailure(printed.code, options);
    return printed;
  } finally {
    terminal.rest();
  }
}

/** A fault in this process has no server whose log would tell; what a model refused is told here. */
function explainFailure(code: string | undefined, options: SendOptions): void {
  const { endpoint, terminal, texts } = options;
  if (code === undefined || endpoint.trouble === undefined) return;
  const trouble = endpoint.trouble();
  const hint = code === "internal" ? texts.seeLog : trouble && describeUpstream(trouble);
  if (hint !== undefined) note(hint, terminal);
}

/** The bytes of a response as they come; an abort ends them, and so does leaving the loop. */
export async function* readBody(
  response: Response,
  signal: AbortSignal,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const { body } = response;
  if (body === null) return;
  const whole = new TransformStream<Uint8Array, Uint8Array>();
  try {
    for await (const bytes of body.pipeThrough(whole, { signal })) {
      if (signal.aborted) return;
      onBytes?.(bytes);
      yield bytes;
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

/** The frames are read all the same, since their failure decides the exit code. */
async function printBytes(response: Response, { terminal, signal }: SendOptions) {
  const bytes = readBody(response, signal, (chunk) => terminal.out(chunk));
  let failed = false;
  for await (const part of readAnswer(bytes, signal)) failed ||= part.type === "failure";
  return { actions: [], edits: [], failed };
}

export interface Endpoint {
  /** What is known of the last failure of a model, where the app runs in this process. */
  trouble?(): UpstreamFacts | undefined;
  /** @throws CliError when nobody answers; whatever fetch throws when the signal aborts */
  send(request: CallRequest, signal: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

/** In milliseconds. */
const connectTimeout = 10_000;

/**
 * The server that `--url` names. Nothing is sent before `fetch`, which goes through a proxy where the environment has one.
 *
 * @param usual the example that a refusal of the address gives
 * @throws CliError when the address is not of http or https. `fetch` throws one when nobody answers, and whatever fetch
 * throws when the request's signal aborts
 */
export function openServer(address: string, usual: string) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new CliError(`--url ${address} is not an address. Write --url ${usual}.`);
  const fetcher = createProxyFetch(readProxies(process.env), connectTimeout);
  return {
    url,
    async fetch(request: Request): Promise<Response> {
      try {
        return await fetcher(request);
      } catch (cause) {
        if (request.signal.aborted) throw cause;
        throw new CliError(describeUnreachable(url.origin, cause), { cause });
      }
    },
  };
}

/** @param locale where the request names no language. @throws CliError as `openServer` does */
export function remoteEndpoint(
  address: string,
  key: string | undefined,
  locale?: Locale,
): Endpoint {
  const server = openServer(address, "http://127.0.0.1:18080");
  const post = createPost(server.url, key, locale);
  return {
    send: (request, signal) => server.fetch(post(request, signal)),
    close: () => Promise.resolve(),
  };
}

/** The app inside this process as an endpoint. A key goes where the platform's model wants one. */
export function localEndpoint(local: LocalApp, key: string | undefined): Endpoint {
  const post = createPost(new URL("http://localhost/"), key);
  return {
    trouble: () => local.trouble,
    send: async (request, signal) => local.app.fetch(post(request, signal)),
    close: () => local.close(),
  };
}

function createPost(url: URL, key: string | undefined, locale?: Locale) {
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(locale === undefined ? {} : { "accept-language": locale }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return (request: CallRequest, signal: AbortSignal): Request =>
    new Request(url, { method: "POST", headers, body: JSON.stringify(request), signal });
}

const Names = z.array(z.string()).default([]);
const Receipt = z.looseObject({
  command: z.string(),
  place: z.string().optional(),
  model: z.string().optional(),
  budget: z.number().optional(),
  tokens: z.number().optional(),
  arrived: z.record(z.string(), z.number()).default({}),
  cut: Names,
  missing: Names,
  unknown: Names,
  unused: Names,
  dropped: z.array(z.looseObject({ path: z.string(), message: z.string() })).default([]),
});
type Receipt = z.infer<typeof Receipt>;

/** Prints what became of the context (header `x-rightseat-context`) as a table on standard error. */
export function printReceipt(header: string | null, terminal: Terminal, texts: CliTexts): void {
  const text = describeReceipt(header, texts.receipt)
    .map((line) => escapeControls(line).trimEnd())
    .join("\n");
  terminal.err(`${terminal.errStyle("dim", text)}\n\n`);
}

function describeReceipt(header: string | null, texts: CliTexts["receipt"]): string[] {
  const receipt = parseReceipt(header);
  if (receipt === undefined) return [header === null ? texts.none : texts.unreadable];
  const { command, model, place, arrived, unused, tokens, budget, dropped } = receipt;
  const rows = Object.entries(arrived).map(([name, cost]) => {
    return { name, cost: `${cost}`, remark: unused.includes(name) ? texts.unused : "" };
  });
  const remark = budget === undefined ? "" : texts.of(budget);
  if (tokens !== undefined) rows.push({ name: texts.prompt, cost: `${tokens}`, remark });
  const widest = Math.max(0, ...rows.map(({ name }) => widthOf(name)));
  const longest = Math.max(0, ...rows.map(({ cost }) => cost.length));
  const why = dropped.map(({ path, message }) => `${path} (${message})`);
  const lists = { ...receipt, place: place === undefined ? [] : [place], dropped: why };
  return [
    texts.head(command, model),
    ...rows.map(({ name, cost, remark: said }) => {
      const gap = " ".repeat(widest - widthOf(name));
      return `  ${name}${gap}  ${cost.padStart(longest)}  ${said}`;
    }),
    ...texts.lists.flatMap(([list, title, separator]) =>
      lists[list].length === 0 ? [] : [`  ${title}${lists[list].join(separator)}`],
    ),
  ];
}

function parseReceipt(header: string | null): Receipt | undefined {
  return Receipt.safeParse(parseJson(header ?? "")).data;
}

/**
 * Says, once, when another model answers than the one that was asked for: our server falls back to its default in
 * silence.
 *
 * @param receipt the context receipt (header `x-rightseat-context`), which is believed before the chunks: those carry
 * the name that the model has at its provider
 */
function createModelNote(wanted: string, receipt: Receipt | undefined, options: SendOptions) {
  const { terminal, texts } = options;
  let isTold = false;
  const tell = (answering: string): void => {
    if (!isTold && answering !== wanted) note(texts.otherModel(answering, wanted), terminal);
    isTold = true;
  };
  if (receipt !== undefined) tell(receipt.model ?? wanted);
  return tell;
}
