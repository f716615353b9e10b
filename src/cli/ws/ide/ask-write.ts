import { confirm } from "@clack/prompts";
import { escapeLine } from "../../call/show/escape-controls.ts";
import type { Terminal } from "../../call/terminal.ts";
import type { CodeTexts } from "../../code/code-texts.ts";
import { guardOf } from "../../code/guard/guard-of.ts";
import { printUnifiedDiff } from "../../edit/print-unified-diff.ts";
import { note } from "../notes.ts";
import type { WsTexts } from "../texts.ts";
import type { AskWrite } from "./write-files.ts";

type GuardTexts = Pick<CodeTexts, "always" | "guarded">;

/** Shows a change on the terminal and asks whether it may be written. */
export function createAskWrite(
  terminal: Terminal,
  texts: WsTexts,
  { always }: GuardTexts,
): AskWrite {
  return async (diff, path) => {
    terminal.out("\n");
    printUnifiedDiff(diff, terminal, true);
    const guard = guardOf(path);
    if (guard !== undefined) terminal.out(`\n${terminal.outStyle("yellow", always(guard))}\n`);
    const answer = await confirm({ message: texts.mayWrite, initialValue: false });
    // Ctrl-C does not mean yes either.
    return answer === true ? true : texts.notWanted;
  };
}

/**
 * Lets changes pass, and names them. Files that decide what other programs run are asked for whatever was allowed.
 *
 * @param ask undefined where nobody can be asked
 */
export function allowWrites(
  terminal: Terminal,
  texts: WsTexts,
  { guarded }: GuardTexts,
  ask: AskWrite | undefined,
): AskWrite {
  return async (diff, path) => {
    const guard = guardOf(path);
    if (guard === undefined) {
      const [before = "", after = ""] = diff.split("\n", 2);
      note(texts.writes(escapeLine(after.endsWith("/dev/null") ? before : after)), terminal);
      return true;
    }
    if (ask !== undefined) return ask(diff, path);
    note(texts.asksAlways(escapeLine(path)), terminal);
    return guarded(guard);
  };
}
