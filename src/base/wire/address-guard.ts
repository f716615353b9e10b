// Where requests may go whose address somebody else has chosen: a client's model, the server of a tool's description.
import { AppError, type Message } from "../errors/app-error.ts";
import { trimEndSigns } from "../text/lines.ts";
import { cutName } from "../errors/names.ts";

export interface GuardOptions {
  /**
   * Hosts that the operator allows wherever they are: `api.openai.com`, `*.example.org` for all names below it,
   * `localhost:8080`. Without a port 443 and 80 are meant.
   */
  hosts: readonly string[];
  /** Every public address is allowed besides. */
  allowsPublic: boolean;
}

interface AllowedAddress {
  url: URL;
  /** The operator has listed it, so that it may be of a private network. */
  isListed: boolean;
}

/** Sends one request and follows no redirect. */
export type GuardedSend = (address: AllowedAddress, init: RequestInit) => Promise<Response>;

interface Sent extends RequestInit {
  method: string;
  headers: Headers;
  body: NonNullable<RequestInit["body"]> | null;
}

/** Redirects of a request that are followed at most; few services have more than one. */
const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What goes along to another origin; a header of any other name may hold a secret. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/**
 * A fetch that asks allowed addresses only, and looks at each one that it is redirected to. To another origin goes
 * nothing but harmless headers; a body never does. One that is sent again must be a text or bytes.
 *
 * @param send need not follow redirects; on Node it pins the address that it looked up
 */
export function guardFetch(options: GuardOptions, send: GuardedSend): typeof fetch {
  return async (input, init = {}) => {
    const given = input instanceof Request ? new Request(input, init) : undefined;
    const asked = input instanceof Request ? input.url : input.toString();
    const mode = init.redirect ?? given?.redirect ?? "follow";
    let sent: Sent = {
      ...init,
      method: (given?.method ?? init.method ?? "GET").toUpperCase(),
      headers: new Headers(given?.headers ?? init.headers),
      body: given?.body ? await given.arrayBuffer() : (init.body ?? null),
      signal: given?.signal ?? init.signal ?? null,
      redirect: "manual",
    };
    let address = checkAddress(asked, options);
    for (let count = 0; ; count += 1) {
      const response = await send(address, sent);
      const location = redirects.has(response.status) ? response.headers.get("location") : null;
      if (location === null || mode === "manual") return response;
      await response.body?.cancel();
      const { url } = address;
      address = checkAddress(URL.parse(location, url)?.href ?? "", options);
      sent = redirect(sent, response.status, url.origin === address.url.origin);
      const isTooFar = url.origin !== address.url.origin && sent.body !== null;
      if (mode === "error" || count >= maxRedirects || isTooFar)
        throw forbidden(url.host, redirected);
    }
  };
}

/** The request as it goes on to the next address (Fetch standard, HTTP-redirect fetch). */
function redirect(sent: Sent, status: number, isSameOrigin: boolean): Sent {
  const { method } = sent;
  const isGet = (status === 303 && method !== "HEAD") || (status < 303 && method === "POST");
  const headers = [...sent.headers].filter(([name]) => isSameOrigin || harmless.has(name));
  const rest = headers.filter(([name]) => !isGet || !name.startsWith("content-"));
  const next = { ...sent, headers: new Headers(rest) };
  return isGet ? { ...next, method: "GET", body: null } : next;
}

/** For runtimes that look up no addresses: hosts that the operator has listed, and no others. */
export function listedFetch(hosts: readonly string[], fetcher: typeof fetch): typeof fetch {
  return guardFetch({ hosts, allowsPublic: false }, ({ url }, init) => fetcher(url, init));
}

/**
 * Looks at an address before anything is sent there. A name may still lead to a private address, which only who
 * connects sees: see {@link mayConnect}.
 *
 * @throws AppError `host_forbidden`; `invalid_request` for what is no address of http, or has a password in it
 */
export function checkAddress(
  address: string,
  { hosts, allowsPublic }: GuardOptions,
): AllowedAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AppError("invalid_request", noHttp);
  if (url.username !== "" || url.password !== "") throw new AppError("invalid_request", noPassword);
  if (hosts.some((entry) => isMeant(url, entry))) return { url, isListed: true };
  if (!allowsPublic) throw forbidden(url.host, notListed);
  const bytes = parseAddress(bareHost(url));
  const isOutside = bytes === undefined ? isPublicName(bareHost(url)) : isPublicAddress(bytes);
  if (!isOutside) throw forbidden(url.host, notPublic);
  return { url, isListed: false };
}

/**
 * Whether a connection may be made to an address that a name has led to.
 *
 * @param address as text, without brackets
 * @param isListed the operator has listed the name: then it may be a private address, but never one where a cloud
 * hands out its credentials
 */
export function mayConnect(address: string, isListed: boolean): boolean {
  const bytes = parseAddress(address);
  if (bytes === undefined) return false;
  return isPublicAddress(bytes) || (isListed && !isMetadata(bytes));
}

/** Whether an entry can be one of the list of hosts. */
export function isHostEntry(entry: string): boolean {
  return parseEntry(entry) !== undefined;
}

/** @returns undefined where the text is no host */
function parseEntry(entry: string): { host: string; port: string; isBelow: boolean } | undefined {
  const isBelow = entry.startsWith("*.");
  const name = isBelow ? entry.slice(2) : entry;
  if (!/^(?:\[[\da-f:.]+\]|[^\s/?#@:[\]\\*]+)(?::\d{1,5})?$/i.test(name)) return undefined;
  // With another scheme than http its own port is not left out.
  const address = `ws://${name}`;
  const port = /:(\d+)$/.exec(name.replace(/^\[.*\]/, ""))?.[1] ?? "";
  if (!URL.canParse(address) || Number(port) > 65_535) return undefined;
  const host = bareHost(new URL(address));
  return isBelow && parseAddress(host) !== undefined ? undefined : { host, port, isBelow };
}

function isMeant(url: URL, entry: string): boolean {
  const parsed = parseEntry(entry);
  if (parsed === undefined) return false;
  const { host, port, isBelow } = parsed;
  const name = bareHost(url);
  const isHost = isBelow ? name.endsWith(`.${host}`) : name === host;
  const asked = url.port || (url.protocol === "https:" ? "443" : "80");
  return (
    isHost && (port === "" ? asked === "443" || asked === "80" : asked === String(Number(port)))
  );
}

/** Without brackets, and without the dot that ends a full name. */
function bareHost({ hostname }: URL): string {
  return trimEndSigns(hostname.replace(/^\[|\]$/g, ""), ".");
}

/** Names of this machine and of a local network never lead outside. */
function isPublicName(name: string): boolean {
  return name.includes(".") && !/\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}

// Addresses, as their 4 or 16 bytes.

/** What is not public of IPv4 (IANA special-purpose registry), and the address at which Azure tells machines of themselves. */
const special =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32";
/** Global unicast of IPv6, and what in it leads elsewhere: protocols, documentation, 6to4. */
const [global6, special6] = ["2000::/3", "2001::/23 2001:db8::/32 2002::/16 3fff::/20"];
/** Addresses of IPv4 in their last four bytes: mapped ones, and those that NAT64 translates. */
const embedding = "::ffff:0:0/96 64:ff9b::/96";
/** Where clouds hand out the credentials of a machine: addresses of one link, and a few others. */
const metadata = "169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 192.0.0.192/32";
const metadata6 = "fe80::/10 fd00:ec2::/32";

/** Whether everybody may reach the address: nothing of it is private, of this machine, of a link, or reserved. */
function isPublicAddress(bytes: readonly number[]): boolean {
  const four = toFour(bytes);
  if (four !== undefined) return !isInside(four, special);
  return isInside(bytes, global6) && !isInside(bytes, special6);
}

function isMetadata(bytes: readonly number[]): boolean {
  const four = toFour(bytes);
  return four === undefined ? isInside(bytes, metadata6) : isInside(four, metadata);
}

/** The address of IPv4 that it is, or that is in it. */
function toFour(bytes: readonly number[]): readonly number[] | undefined {
  if (bytes.length === 4) return bytes;
  return isInside(bytes, embedding) ? bytes.slice(12) : undefined;
}

function isInside(bytes: readonly number[], networks: string): boolean {
  return networks.split(" ").some((network) => {
    const [start = "", bits] = network.split("/");
    return (parseAddress(start) ?? []).every((byte, nth) => {
      const free = Math.min(8, Math.max(0, 8 * (nth + 1) - Number(bits)));
      return (bytes[nth] ?? 0) >> free === byte >> free;
    });
  });
}

/** The bytes of an address as a URL or a look-up spells it; undefined for a name. */
function parseAddress(text: string): number[] | undefined {
  if (/^\d+(?:\.\d+){3}$/.test(text)) {
    const bytes = text.split(".").map(Number);
    return bytes.every((byte) => byte <= 255) ? bytes : undefined;
  }
  // The zone says through which interface.
  const address = `http://[${text.split("%", 1).join("")}]`;
  if (!text.includes(":") || !URL.canParse(address)) return undefined;
  const [before = "", after] = bareHost(new URL(address)).split("::");
  const [first, last] = [before, after ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const left = after === undefined ? 0 : 8 - (first ?? []).length - (last ?? []).length;
  return [...(first ?? []), ...Array<string>(left).fill("0"), ...(last ?? [])].flatMap((group) => {
    const number = parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
}

function forbidden(host: string, why: (host: string) => Message): AppError {
  return new AppError("host_forbidden", why(cutName(host)));
}

const notListed = (host: string): Message => ({
  en: `The address ${host} is not on the list of hosts that this server may call. Its operator can add it to RIGHTSEAT_SESSION_HOSTS.`,
  zh: `地址 ${host} 不在此服务允许访问的主机列表中，管理员可以将其加入 RIGHTSEAT_SESSION_HOSTS。`,
});

export const notPublic = (host: string): Message => ({
  en: `The address ${host} is of this machine or of a private network. Its operator can add it to RIGHTSEAT_SESSION_HOSTS.`,
  zh: `地址 ${host} 属于本机或私有网络，管理员可以将其加入 RIGHTSEAT_SESSION_HOSTS。`,
});

const redirected = (host: string): Message => ({
  en: `The server at ${host} redirects the request again and again, or to where it must not go.`,
  zh: `${host} 上的服务器反复重定向，或重定向到不允许访问的地方。`,
});

const noHttp: Message = {
  en: "The address must begin with http:// or https:// and name a host.",
  zh: "地址必须以 http:// 或 https:// 开头，并包含主机名。",
};

const noPassword: Message = {
  en: "The address must not have a name or a password in it.",
  zh: "地址中不能包含用户名或密码。",
};
