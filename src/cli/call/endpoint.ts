import type { Locale } from "../../base/errors/locale.ts";
import type { UpstreamFacts } from "../../base/errors/upstream-facts.ts";
import { readProxies } from "../../setup/read-proxies.node.ts";
import { createProxyFetch } from "../../base/wire/proxies.node.ts";
import { CliError } from "../cli-error.ts";
import { describeUnreachable } from "../fail-with.ts";
import type { LocalApp } from "../create-local-app.ts";
import type { CallRequest } from "./collect/build-request.ts";

/** Where requests go: a server, or the app inside this process. */
export interface Endpoint {
  /** Whether the app runs in this process, with a log that the person can have shown. */
  isLocal?: boolean;
  /** What is known of the last failure of a model, where the app runs in this process. */
  trouble?(): UpstreamFacts | undefined;
  /** @throws CliError when nobody answers; whatever fetch throws when the signal aborts */
  send(request: CallRequest, signal: AbortSignal): Promise<Response>;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/** In milliseconds. */
const connectTimeout = 10_000;

/**
 * @param locale asked for where the request names no language
 * @throws CliError when the address is none of http or https
 */
export function remoteEndpoint(
  address: string,
  key: string | undefined,
  locale?: Locale,
): Endpoint {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new CliError(`--url ${address} is not an address. Write --url http://127.0.0.1:18080.`);
  }
  const fetcher = createProxyFetch(readProxies(process.env), connectTimeout);
  return {
    async send(request, signal) {
      try {
        return await fetcher(toHttpRequest(url, request, key, signal, locale));
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw new CliError(describeUnreachable(url.origin, cause), { cause });
      }
    },
    close: () => Promise.resolve(),
  };
}

/** The app inside this process as an endpoint. A key goes where the platform's model wants one. */
export function localEndpoint(local: LocalApp, key: string | undefined): Endpoint {
  const url = new URL("http://localhost/");
  return {
    isLocal: true,
    trouble: () => local.trouble,
    send: async (request, signal) => local.app.fetch(toHttpRequest(url, request, key, signal)),
    close: () => local.close(),
  };
}

function toHttpRequest(
  url: URL,
  request: CallRequest,
  key: string | undefined,
  signal: AbortSignal,
  locale?: Locale,
): Request {
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(locale === undefined ? {} : { "accept-language": locale }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(request),
    signal,
  });
}
