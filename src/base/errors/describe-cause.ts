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
