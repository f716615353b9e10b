import type { Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import { setTimeout as sleep } from "node:timers/promises";

/** In milliseconds; what was typed before is there at once. */
const pause = 40;
const interrupt = "\u0003";

/**
 * Throws away what was typed before the question: it does not answer it.
 *
 * @returns whether Ctrl-C was among it
 */
export async function dropTyped(
  input: Readable & Partial<Pick<ReadStream, "isTTY" | "isRaw" | "setRawMode">>,
): Promise<boolean> {
  if (input.isTTY !== true) return false;
  let typed = "";
  const take = (bytes: Uint8Array | string): void => {
    typed += String(bytes);
  };
  const wasRaw = input.isRaw === true;
  input.setRawMode?.(true);
  input.on("data", take);
  try {
    await sleep(pause);
  } finally {
    input.off("data", take);
    input.pause();
    input.setRawMode?.(wasRaw);
  }
  return typed.includes(interrupt);
}
