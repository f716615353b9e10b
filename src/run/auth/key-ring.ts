import { hashText } from "../../turn/state/sealed-state.ts";
import { idLength, isSame } from "./api-keys.ts";

/** Characters of a family's beginning; a shorter one would be guessed. */
const shortestFamily = 12;

/** Keys of one door: plain ones, hashes of keys, and families of keys. */
export interface KeyRing {
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
  let known: Promise<readonly KnownKey[]> | undefined;
  return {
    async find(shown) {
      if (shown === "") return undefined;
      known ??= Promise.all(entries.map(readEntry));
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

interface KnownKey {
  /** SHA-256, hexadecimal. */
  hash: string;
  /** So many characters at the beginning are a family's; undefined: all are the key's. */
  length?: number;
}

async function readEntry(entry: string): Promise<KnownKey> {
  if (entry.startsWith("sha256:")) return { hash: entry.slice("sha256:".length).toLowerCase() };
  if (!entry.endsWith("*")) return { hash: await hashText(entry) };
  const beginning = entry.slice(0, -1);
  return { hash: await hashText(beginning), length: beginning.length };
}
