import type { Proxies } from "../base/wire/proxies.node.ts";
import { guardedFetch } from "../base/wire/address-guard.node.ts";
import { type Config, ConfigError } from "./config.ts";

/** What listens on this machine is no business of a proxy on another one. */
const loopback = "localhost,127.0.0.1,[::1]";

/**
 * The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, of which the lower-case names win. This machine is
 * reached without a proxy, unless `NO_PROXY` is there and says nothing.
 *
 * @returns undefined where there is none
 * @throws ConfigError for what is not the address of a proxy
 */
export function readProxies(
  environment: Readonly<Record<string, string | undefined>>,
): Proxies | undefined {
  const read = (name: string): string | undefined =>
    environment[name.toLowerCase()] ?? environment[name];
  const httpProxy = toAddress("HTTP_PROXY", read("HTTP_PROXY"));
  const httpsProxy = toAddress("HTTPS_PROXY", read("HTTPS_PROXY"));
  if (httpProxy === "" && httpsProxy === "") return undefined;
  const given = read("NO_PROXY")?.trim();
  const isWhole = given === "" || given === "*";
  const noProxy = isWhole ? given : [given, loopback].filter(Boolean).join(",");
  return { httpProxy, httpsProxy, noProxy };
}

/** Asks addresses that others than the operator have chosen: public ones, and hosts that the settings list. */
export function createOutsideFetch(
  { sessionHosts: hosts, connectTimeout }: Pick<Config, "sessionHosts" | "connectTimeout">,
  proxies: Proxies | undefined,
): typeof fetch {
  return guardedFetch({ hosts, allowsPublic: true, connectTimeout, proxies });
}

/** curl and others take `proxy.example:3128`, too. The value may hold a password, so nobody is shown it. */
function toAddress(name: string, value = ""): string {
  const text = value.trim();
  if (text === "") return "";
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const isProxy = URL.canParse(address) && /^(?:https?|socks5?):$/.test(new URL(address).protocol);
  if (isProxy) return address;
  throw new ConfigError(`${name}: is not the address of a proxy. Write http://HOST:PORT.`);
}
