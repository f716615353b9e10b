import type { NamedCall } from "../named-calls.ts";

/** What held lines are. `lines` of them belong to it; the others are read anew. */
export type Held =
  | {
      kind: "calls";
      calls: readonly NamedCall[];
      lines: number;
      /** Of the last line, what is none of the calls and is read anew. */
      rest?: string;
    }
  /** A result that the model repeats, or an example: nothing in it is a call or an edit. */
  | { kind: "quote"; lines: number; until?: (line: string) => boolean }
  /** No call. Lines that follow belong to it until `until` says so, as they do to a quotation. */
  | { kind: "text"; lines: number; until?: (line: string) => boolean }
  /** It is a call, and cannot be read. */
  | { kind: "fault"; lines: number };

/** Takes the lines of what may be a call, without their line ends. */
export interface Hold {
  /** Undefined where it is not clear yet. */
  take(line: string): Held | undefined;
  /**
   * The answer ends here.
   *
   * @param isStopped the model ended by itself
   */
  end(isStopped: boolean): Held;
}
