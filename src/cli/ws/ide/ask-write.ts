import { confirm } from "@clack/prompts";
import { escapeLine } from "../../call/show/escape-controls.ts";
import type { Terminal } from "../../call/terminal.ts";
import { printUnifiedDiff } from "../../edit/print-unified-diff.ts";
import { note } from "../notes.ts";
import type { WsTexts } from "../texts.ts";
import type { AskWrite } from "./write-files.ts";

/** Shows a change on the terminal and asks whether it may be written. */
export function createAskWrite(terminal: Terminal, texts: WsTexts): AskWrite {
  return async (diff) => {
    terminal.out("\n");
    printUnifiedDiff(diff, terminal, true);
    const answer = await confirm({ message: texts.mayWrite, initialValue: false });
    // Ctrl-C does not mean yes either.
    return answer === true ? true : texts.notWanted;
  };
}

/** Lets every change pass, and names it. */
export function allowWrites(terminal: Terminal, texts: WsTexts): AskWrite {
  return async (diff) => {
    const [before = "", after = ""] = diff.split("\n", 2);
    note(texts.writes(escapeLine(after.endsWith("/dev/null") ? before : after)), terminal);
    return true;
  };
}
