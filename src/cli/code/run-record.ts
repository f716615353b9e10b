import type { CheckOutcome } from "../../flows/loop/coding.ts";
import type { AppError } from "../../base/errors/app-error.ts";
import type { EndReason, HistoryEntry, TurnEvent, Usage } from "../../turn/turn-event.ts";
import { addUsage } from "../../turn/figures.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import type { RunFigures } from "./code-texts.ts";

/** What a run has come to, as facts. */
export class RunRecord {
  readonly history: HistoryEntry[] = [];
  readonly edits: ProposedEdit[] = [];
  /** As they were made, also where the run ended before it told of them. */
  readonly changes: FileChange[] = [];
  /** What was said since the last step began; `finish` is none. */
  response = "";
  #isOld = false;
  usage: Usage | undefined;
  end: EndReason | undefined;
  failure: AppError | undefined;
  check: CheckOutcome | undefined;
  /** Paths that were written, deleted ones included. */
  readonly written = new Set<string>();
  /** Paths that were not written or read since nobody could be asked. */
  readonly refused = new Set<string>();

  /** @param text what the terminal prints of the event */
  take(event: TurnEvent, text = ""): void {
    switch (event.type) {
      case "text-delta":
        if (text !== "" && this.#isOld) this.response = "";
        if (text !== "") this.#isOld = false;
        this.response += text;
        break;
      case "tool-result":
        if (event.entry !== undefined) this.history.push(event.entry);
        // A last call without a response means the text that was said before it.
        this.#isOld =
          event.entry?.tool !== "finish" || event.entry.params["response"] !== undefined;
        break;
      case "model-busy":
        if (event.isVoid === true) this.response = "";
        break;
      case "edit":
        this.edits.push(event.edit);
        break;
      case "usage":
        this.usage = addUsage(this.usage, event.usage);
        break;
      case "turn-error":
        this.failure ??= event.error;
        break;
      case "turn-end":
        this.end = event.reason;
        break;
      default:
    }
  }

  get figures(): RunFigures {
    const { history, written, usage } = this;
    const steps = history.filter(({ tool }) => tool !== "finish").length;
    return { steps, files: written.size, tokens: usage?.total_tokens ?? 0 };
  }

  /** Whether the run ended as it was meant to, and nothing was left undone for want of somebody to ask. */
  get isSound(): boolean {
    const { check, end, failure, refused } = this;
    if (failure !== undefined || end !== "stop" || refused.size > 0) return false;
    return check === undefined || (check.ran && check.passed);
  }
}
