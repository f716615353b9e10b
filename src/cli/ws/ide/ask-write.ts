import { confirm } from "@clack/prompts";
import { escapeLine } from "../../call/show/escape-controls.ts";
import type { Terminal } from "../../call/terminal.ts";
import type { CodeTexts } from "../../code/code-texts.ts";
import type { createGuard } from "../../code/guard/create-guard.ts";
import { printUnifiedDiff } from "../../edit/print-unified-diff.ts";
import { note } from "../notes.ts";
import type { WsTexts } from "../texts.ts";
import type { AskWrite } from "./write-files.ts";

interface Guarded {
  guard: ReturnType<typeof createGuard>;
  texts: Pick<CodeTexts, "always" | "guarded">;
}

/** Shows a change on the terminal and asks whether it may be written. */
export function createAskWrite(
  terminal: Terminal,
  texts: WsTexts,
  { guard, texts: { always } }: Guarded,
): AskWrite {
  return async (diff, _, names) => {
    terminal.out("\n");
    printUnifiedDiff(diff, terminal, true);
    const found = guard(names);
    if (found !== undefined) terminal.out(`\n${terminal.outStyle("yellow", always(found))}\n`);
    const answer = await confirm({ message: texts.mayWrite, initialValue: false });
    // Ctrl-C does not mean yes either.
    return answer === true ? true : texts.notWanted;
  };
}

/**
 * Lets changes of source files pass, and names them. All others are asked for.
 *
 * @param ask undefined where nobody can be asked
 */
export function allowWrites(
  terminal: Terminal,
  texts: WsTexts,
  { guard, texts: { guarded } }: Guarded,
  ask: AskWrite | undefined,
): AskWrite {
  return async (diff, path, names) => {
    const found = guard(names);
    if (found === undefined) {
      const [before = "", after = ""] = diff.slice(diff.search(/^--- /m)).split("\n", 2);
      note(texts.writes(escapeLine(after.endsWith("/dev/null") ? before : after)), terminal);
      return true;
    }
    if (ask !== undefined) return ask(diff, path, names);
    note(texts.asksAlways(escapeLine(path)), terminal);
    return guarded(found);
  };
}
