// Tools of descriptions, and a server that keeps what comes and answers what a test says.
import { ToolPolicy } from "../../src/tools/specs/policy.ts";
import { type SpecOptions, readSpecs } from "../../src/tools/specs/read-specs.ts";
import { runCall } from "../../src/tools/run-call.ts";
import { type ToolUse, Toolbox } from "../../src/tools/tool.ts";
import { createUse } from "./tool-workspace.ts";

interface Sent {
  method: string;
  /** As it was sent, with nothing decoded. */
  url: string;
  headers: Headers;
  body: string;
  form: FormData | undefined;
}

export type Answer = Response | ((sent: Sent) => Response);

export interface SpecClient {
  toolbox: Toolbox;
  sent: Sent[];
  call: (name: string, args?: unknown) => Promise<Record<string, unknown>>;
}

/** Everything is granted for `api.test`, unless the options say otherwise. */
export async function openSpecs(
  entries: readonly unknown[],
  options: Partial<Omit<SpecOptions, "grants">> & {
    grants?: ToolPolicy | readonly string[];
    answer?: Answer;
    use?: Partial<ToolUse>;
  } = {},
): Promise<SpecClient> {
  const sent: Sent[] = [];
  const { answer = Response.json({ ok: true }), use = {}, ...given } = options;
  const grants = ToolPolicy.parse(options.grants ?? ["*@api.test"]);
  const tools = await readSpecs(entries, {
    async fetch(input, init) {
      const request = new Request(input, init);
      const isForm = request.headers.get("content-type")?.startsWith("multipart/") === true;
      const form = isForm ? await request.clone().formData() : undefined;
      const { method, url, headers } = request;
      const one: Sent = { method, url, headers, body: await request.text(), form };
      sent.push(one);
      return answer instanceof Response ? answer.clone() : answer(one);
    },
    createId: () => "1",
    now: () => 0,
    ...given,
    grants,
  });
  const toolbox = new Toolbox(tools);
  return {
    toolbox,
    sent,
    async call(name, args = {}) {
      const json = typeof args === "string" ? args : JSON.stringify(args);
      const { result } = await runCall(
        { id: "1", name, arguments: json },
        toolbox,
        createUse({}, use),
      );
      return JSON.parse(result.content) as Record<string, unknown>;
    },
  };
}

/** An entry for OpenAPI 3.1 at `https://api.test/v1`. */
export function apiOf(
  paths: unknown,
  more: Record<string, unknown> = {},
  entry: object = {},
): object {
  const servers = [{ url: "https://api.test/v1" }];
  const openSpec = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers,
    paths,
    ...more,
  };
  return { protocol: "openapi", openSpec, ...entry };
}

/** One operation with parameters, named `call`. */
export function operationOf(
  path: string,
  parameters: readonly object[],
  more: Record<string, unknown> = {},
  method = "get",
): object {
  return { [path]: { [method]: { operationId: "call", parameters, responses: {}, ...more } } };
}
