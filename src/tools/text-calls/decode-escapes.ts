const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
  ["e", "\u001b"],
  ["\n", ""],
]);
const escape =
  /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(\r\n|[^]))/g;

/** The text between quotes. A backslash before a sign that needs none is itself meant, as in `\d`. */
export function decodeEscapes(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replaceAll(
    escape,
    (whole, braced?: string, four?: string, eight?: string, two?: string, sign?: string) => {
      const digits = braced ?? four ?? eight ?? two;
      if (digits !== undefined) return fromDigits(digits, whole);
      if (sign === undefined || sign === "\r\n") return "";
      const known = escapes.get(sign);
      if (known !== undefined) return known;
      return /[\\'"`/$ ]/.test(sign) ? sign : whole;
    },
  );
}

function fromDigits(digits: string, whole: string): string {
  const code = Number.parseInt(digits, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
}
