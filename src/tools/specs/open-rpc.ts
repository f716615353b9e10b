// OpenRPC over HTTP: each method of a description as something that can be called.
import { isRecord, parseJson } from "../../base/text/json.ts";
import type { ToolOutcome } from "../tool.ts";
import { outcomeOf, authorizationOf, callHttp, serverOf } from "./http-call.ts";
import type { ServerEntry } from "./open-api.ts";
import type { Operation } from "./operation.ts";
import { type SpecDocument, reject } from "./spec-document.ts";

/** @throws AppError `invalid_request` with the path of what cannot be read */
export function readOpenRpc(
  document: SpecDocument,
  { baseUrl, apiKey }: ServerEntry,
  fetcher: typeof fetch,
  createId: () => string,
): Operation[] {
  const { root } = document;
  const names = new Set<string>();
  return root.list("methods").map((each) => {
    const method = document.follow(each);
    const name = method.name();
    if (names.has(name))
      reject(method.at("name").path, "is the name of a method before it", "与前面的方法重名");
    names.add(name);
    const params = method.at("params").items.map((param) => {
      const place = document.follow(param);
      return {
        own: place.name(),
        other: "param",
        schema: place.at("schema"),
        description: place.told(),
        isRequired: place.isTrue("required"),
      };
    });
    const { schema, keys, toOwn } = document.argumentsOf(params);
    const servers = method.get("servers") ?? root.get("servers");
    const url = serverOf(servers, baseUrl, `${root.path}.servers`);
    const isByPosition = method.get("paramStructure") === "by-position";
    // Who describes no result gets no answer: a notification has no id.
    const isNotification = method.get("result") === undefined;
    return {
      name,
      id: name,
      description: method.told() || name,
      schema,
      // Nothing says which methods only read.
      effect: "write",
      host: url.host,
      method: "POST",
      says: "body",
      path: url.pathname,
      async run(input, use) {
        const id = createId();
        const last = keys.findLastIndex((key) => Object.hasOwn(input, key));
        const sent = isByPosition
          ? keys.slice(0, last + 1).map((key) => input[key] ?? null)
          : Object.fromEntries(toOwn(input));
        const more = isNotification ? {} : { id };
        const body = JSON.stringify({ jsonrpc: "2.0", method: name, params: sent, ...more });
        const headers = new Headers({
          accept: "application/json",
          "content-type": "application/json",
        });
        if (apiKey !== undefined) headers.set("authorization", authorizationOf(apiKey));
        const call = { method: "POST", url, headers, body };
        return readReply(await callHttp(call, fetcher, use), id);
      },
    };
  });
}

/** What HTTP calls an error of JSON-RPC. */
export function statusOf(code: number): number {
  if (code === -32_601) return 404;
  return [-32_700, -32_600, -32_602].includes(code) ? 400 : 500;
}

/** The result of the call as JSON; of an error its code decides the status. */
function readReply(outcome: ToolOutcome, id: string): ToolOutcome {
  const { body, statusCode } = outcome;
  if (typeof body !== "string" || body.trim() === "" || outcome["is_cut"] === true) return outcome;
  const reply = parseJson(body);
  if (isRecord(reply) && isRecord(reply["error"])) {
    const { code } = reply["error"];
    return outcomeOf(statusOf(Number(code)), JSON.stringify(reply["error"]));
  }
  if (Number(statusCode) >= 400) return outcome;
  if (!isRecord(reply) || !Object.hasOwn(reply, "result"))
    return outcomeOf(502, `The server's answer is not one of JSON-RPC 2.0: ${body.slice(0, 500)}`);
  if (reply["id"] !== id) return outcomeOf(502, "The server answered another request.");
  return outcomeOf(200, JSON.stringify(reply["result"]));
}
