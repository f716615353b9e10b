import { hashText } from "../../turn/state/sealed-state.ts";

/** So many hexadecimal digits of a key's hash are its id. */
export const idLength = 8;

/** The operator's keys. */
export interface ApiKeys {
  /**
   * Which key was shown.
   *
   * @returns the key's id, undefined if it is none of them
   */
  find(shown: string): Promise<string | undefined>;
  /** Whether a text holds one of the keys, as it is, with `%` escapes, or in base64 as passwords are sent. */
  areIn(text: string): boolean;
}

/**
 * A key's id is the beginning of its SHA-256: it says nothing of the key and stays the same when keys are
 * added, removed or reordered.
 */
export function createApiKeys(keys: readonly string[]): ApiKeys {
  let hashes: readonly string[] | undefined;
  return {
    async find(shown) {
      if (shown === "") return undefined;
      hashes ??= await Promise.all(keys.map(hashText));
      const hash = await hashText(shown);
      // All are compared, and whole, so that the time does not tell which one was nearly right.
      const found = hashes.filter((known) => isSame(known, hash));
      return found[0]?.slice(0, idLength);
    },
    areIn(text) {
      const readings = [text, unescape(text), ...(text.match(base64) ?? []).map(decodeBase64)];
      return keys.some((key) => readings.some((reading) => reading.includes(key)));
    },
  };
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
export function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
