/** Words for what a code of Node, undici or OpenSSL means, the first that fits. */
const meanings: readonly [RegExp, string][] = [
  [/^ECONNREFUSED$/, "the connection was refused"],
  [/^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL)$/, "the host name was not found (DNS)"],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "the connection took too long"],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection was closed by the other side"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, "the network does not reach the host"],
  [
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    "the server speaks no TLS there (https in place of http?)",
  ],
  [/^HPE_|^HTTPParserError$/, "the server speaks no HTTP there (http in place of https?)"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "the head of the answer is too large"],
  [/PROXY/, "the proxy refused"],
  [
    /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/,
    "TLS failed, or the certificate is not trusted",
  ],
];

/** How many causes of causes are looked at. */
const maxDepth = 5;

/**
 * Why a connection failed, in words of our own with the code of the system behind them; messages of causes
 * may hold what nobody should read, so none of them is in it.
 */
export function describeConnection(thrown: unknown): string {
  const causes = listCauses(thrown);
  const codes = causes.map((cause) => Reflect.get(cause, "code")).filter(isCode);
  for (const code of [...codes, ...causes.map(({ name }) => name)]) {
    const meaning = meanings.find(([form]) => form.test(code));
    if (meaning !== undefined) return `${meaning[1]} (${code})`;
  }
  // undici has no code of its own for a proxy that refuses.
  const status = causes.map(({ message }) => proxyStatus.exec(message)?.[1]).find(Boolean);
  if (status !== undefined) return `the proxy refused (HTTP ${status})`;
  const name = codes[0] ?? causes.at(-1)?.name;
  return name === undefined ? "the connection failed" : `the connection failed (${name})`;
}

const proxyStatus = /^Proxy response \((\d{3})\)/;

/** The error, its cause, the cause of that; of several tries at once the first. */
function listCauses(thrown: unknown): Error[] {
  const causes: Error[] = [];
  let next = thrown;
  while (next instanceof Error && causes.length < maxDepth) {
    causes.push(next);
    next = next.cause ?? (next instanceof AggregateError ? next.errors[0] : undefined);
  }
  return causes;
}

function isCode(code: unknown): code is string {
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code);
}

/** In characters. */
const maxMessage = 200;
/** Places of a stack. */
const maxPlaces = 3;
/** Longer texts in quotes may be what somebody has sent. */
const longQuote = /(["'`])(?:(?!\1).){40,}\1/gs;

/** Name and code of a cause; its message may hold keys or what a model said. Empty if it is no error. */
export function nameCause(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const code: unknown = Reflect.get(cause, "code");
  return typeof code === "string" ? `${cause.name} ${code}` : cause.name;
}

/**
 * A fault of the program for its log: name, first line of the message, and the places that it came
 * through. Long quotations are left out, and so is the message of a SyntaxError, which quotes the text
 * that was parsed.
 */
export function describeFault(cause: unknown): string {
  if (!(cause instanceof Error)) return nameCause(cause);
  const [line = ""] = cause.message.replaceAll(longQuote, "$1...$1").split("\n");
  const message = cause instanceof SyntaxError ? "" : line.slice(0, maxMessage);
  const head = [nameCause(cause), message].filter((part) => part !== "").join(": ");
  return [head, ...placesOf(cause)].join(" ");
}

/** The lines of a stack behind its message, which may have several of its own. */
function placesOf({ stack = "" }: Error): string[] {
  const places = stack.split("\n").filter((line) => /^ {4}at .+:\d+:\d+\)?$/.test(line));
  return places.slice(0, maxPlaces).map((line) => line.trim());
}
