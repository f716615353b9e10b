import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import type { Agent } from "undici";
import { AppError } from "../errors/app-error.ts";
import { cutName } from "../errors/names.ts";
import {
  type GuardOptions,
  type GuardedSend,
  checkAddress,
  guardFetch,
  listedFetch,
  mayConnect,
  notPublic,
} from "./address-guard.ts";
import { type Proxies, createProxyFetch } from "./proxies.node.ts";

export interface PinOptions extends GuardOptions {
  /** In milliseconds. */
  connectTimeout: number;
  /** Where there are some, they do the looking up: then only hosts that are listed are asked. */
  proxies?: Proxies | undefined;
  /** Looks up a name; the system's way where absent. */
  lookUp?: LookUp;
}

type LookUp = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** A fetch that asks allowed addresses only, and connects to none that it has not looked at. */
export function guardedFetch(options: PinOptions): typeof fetch {
  const { hosts, connectTimeout, proxies } = options;
  if (proxies !== undefined) return listedFetch(hosts, createProxyFetch(proxies, connectTimeout));
  // A name that is listed may lead to a private network: its connections are not shared with other names.
  const agents = new Map<boolean, Promise<Agent>>();
  const send: GuardedSend = async ({ url, isListed }, init) => {
    const loading = agents.get(isListed) ?? createPinningAgent(isListed, options);
    agents.set(isListed, loading);
    const dispatcher = await loading;
    // A runtime that has an undici of its own may not look at the agent.
    if (!("dispatch" in dispatcher)) return listedFetch(hosts, fetch)(url, init);
    try {
      // Node's fetch takes the agents of undici, but has types of its own for them.
      return await fetch(url, { ...init, dispatcher } as unknown as RequestInit);
    } catch (thrown) {
      const cause: unknown = thrown instanceof Error ? thrown.cause : undefined;
      throw cause instanceof AppError ? cause : thrown;
    }
  };
  return guardFetch(options, send);
}

async function createPinningAgent(
  isListed: boolean,
  { connectTimeout, lookUp = lookUpName }: PinOptions,
): Promise<Agent> {
  const { Agent } = await import("undici");
  return new Agent({
    connect: {
      timeout: connectTimeout,
      lookup: (name, { all }: LookupOptions, callback) =>
        lookUp(name, (error, found) => {
          const allowed = found.filter(({ address }) => mayConnect(address, isListed));
          const [first] = allowed;
          if (error !== null) callback(error, "", 0);
          else if (first === undefined)
            callback(new AppError("host_forbidden", notPublic(cutName(name))), "", 0);
          else if (all === true) callback(null, allowed);
          else callback(null, first.address, first.family);
        }),
    },
  });
}

/**
 * The address that a host name leads to, for who connects without HTTP.
 *
 * @throws AppError `host_forbidden`; the system's error where there is no such name
 */
export function resolveHost(
  host: string,
  port: number,
  { hosts, lookUp = lookUpName }: Pick<PinOptions, "hosts" | "lookUp">,
): Promise<string> {
  const shown = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const { isListed } = checkAddress(`http://${shown}:${port}`, { hosts, allowsPublic: true });
  return new Promise((resolve, reject) => {
    lookUp(host.replace(/^\[|\]$/g, ""), (error, found) => {
      const allowed = found?.find(({ address }) => mayConnect(address, isListed));
      if (error !== null) reject(error);
      else if (allowed === undefined)
        reject(new AppError("host_forbidden", notPublic(cutName(host))));
      else resolve(allowed.address);
    });
  });
}

const lookUpName: LookUp = (name, done) => lookup(name, { all: true }, done);
