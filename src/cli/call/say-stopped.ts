import { exitStopped } from "../stop-on-interrupt.ts";
import type { CallTexts } from "./texts.ts";

/** Tells that Ctrl-C has ended the command. @returns its exit code */
export function sayStopped(texts: CallTexts): number {
  process.stderr.write(`\n${texts.stopped}\n`);
  return exitStopped;
}
