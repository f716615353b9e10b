import type { EnvHttpProxyAgent } from "undici";

/** The proxies that requests of ours go through, as addresses; "" for none. */
export interface Proxies {
  httpProxy: string;
  /** "": https goes through `httpProxy`, too. */
  httpsProxy: string;
  /** Hosts that are reached without: names, `.example.com`, `host:port`, between commas or spaces; `*` for all. */
  noProxy: string;
}

/**
 * Asks proxies of http the usual way for http (the whole address as target, which all of them allow), and for a
 * tunnel (CONNECT) to what is https.
 *
 * @param connectTimeout in milliseconds
 */
export async function createProxyAgent(
  proxies: Proxies,
  connectTimeout: number,
  options: EnvHttpProxyAgent.Options = {},
): Promise<EnvHttpProxyAgent> {
  const { EnvHttpProxyAgent } = await import("undici");
  const timeout = { timeout: connectTimeout };
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    connect: timeout,
    proxyTls: timeout,
    proxyTunnel: false,
  });
}

/** The runtime's fetch; through proxies where there are some. */
export function createProxyFetch(
  proxies: Proxies | undefined,
  connectTimeout: number,
): typeof fetch {
  if (proxies === undefined) return (input, init) => fetch(input, init);
  let agent: Promise<EnvHttpProxyAgent> | undefined;
  return async (input, init) => {
    const dispatcher = await (agent ??= createProxyAgent(proxies, connectTimeout));
    // Node's fetch takes the agents of undici, but has types of its own for them.
    return fetch(input, { ...init, dispatcher } as unknown as RequestInit);
  };
}
