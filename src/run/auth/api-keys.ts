import { hashText } from "../../turn/state/sealed-state.ts";

/** So many hexadecimal digits of a key's hash are its id. */
const idLength = 8;

/**
 * The operator's keys. A key's id is the beginning of its SHA-256: it says nothing of the key and stays the same when
 * keys are added, removed or reordered.
 */
export function createApiKeys(keys: readonly string[]): KeyRing {
  return createRing(() => keys.map(readPlain));
}

/** Whether a text holds one of the keys, as it is, with `%` escapes, or in base64 as passwords are sent. */
export function holdsKey(text: string, keys: readonly string[]): boolean {
  const readings = [text, unescape(text), ...(text.match(base64) ?? []).map(decodeBase64)];
  return keys.some((key) => readings.some((reading) => reading.includes(key)));
}

/** Runs of letters that may be base64, of either alphabet. */
const base64 = /[\w+/-]{4,}={0,2}/g;

function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", ""));
  } catch {
    return "";
  }
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Takes as long for nearly equal texts as for quite different ones. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

/** Characters of a family's beginning; a shorter one would be guessed. */
const shortestFamily = 12;

/** Keys of one door: plain ones, hashes of keys, and families of keys. */
interface KeyRing {
  /**
   * Which key was shown.
   *
   * @returns its id, which keys of one family have each of its own; undefined if it is not one of them
   */
  find(shown: string): Promise<string | undefined>;
}

/** What is wrong with an entry of {@link createKeyRing}, for the operator; undefined if nothing is. */
export function findKeyProblem(entry: string): string | undefined {
  if (entry.startsWith("sha256:")) {
    return /^sha256:[0-9a-f]{64}$/i.test(entry)
      ? undefined
      : "must be sha256: and 64 hexadecimal digits";
  }
  const star = entry.indexOf("*");
  if (star === -1) return undefined;
  if (star < entry.length - 1) return "may have * at its end only";
  return star < shortestFamily
    ? `must have ${shortestFamily} characters before the * at least`
    : undefined;
}

/**
 * @param entries a key; `sha256:` and the SHA-256 of a key in hexadecimal digits; or `beginning*`, which lets in
 * every key that begins so
 */
export function createKeyRing(entries: readonly string[]): KeyRing {
  return createRing(() => entries.map(readEntry));
}

interface KnownKey {
  /** SHA-256, hexadecimal. */
  hash: string;
  /** So many characters at the beginning are a family's; undefined: all are the key's. */
  length?: number;
}

async function readPlain(key: string): Promise<KnownKey> {
  return { hash: await hashText(key) };
}

async function readEntry(entry: string): Promise<KnownKey> {
  if (entry.startsWith("sha256:")) return { hash: entry.slice("sha256:".length).toLowerCase() };
  if (!entry.endsWith("*")) return readPlain(entry);
  const beginning = entry.slice(0, -1);
  return { hash: await hashText(beginning), length: beginning.length };
}

/** @param read what is known of the keys; it is asked once, when the first key is shown */
function createRing(read: () => Promise<KnownKey>[]): KeyRing {
  let known: Promise<readonly KnownKey[]> | undefined;
  return {
    async find(shown) {
      if (shown === "") return undefined;
      known ??= Promise.all(read());
      const keys = await known;
      const lengths = new Set(keys.map(({ length }) => length ?? shown.length));
      const hashes = new Map<number, string>();
      for (const length of lengths) hashes.set(length, await hashText(shown.slice(0, length)));
      // All are compared, and whole, so that the time does not tell which one was nearly right.
      const found = keys.filter(
        ({ hash, length = shown.length }) =>
          isSame(hash, hashes.get(length) ?? "") && length <= shown.length,
      );
      return found.length === 0 ? undefined : (await hashText(shown)).slice(0, idLength);
    },
  };
}
