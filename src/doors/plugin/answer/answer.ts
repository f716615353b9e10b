import type { PlainEvent } from "../../../turn/turn-event.ts";

/** Turns the events of a turn into the text of its answer. */
export interface Answer {
  /** What goes out now; often "". */
  take(event: PlainEvent): string;
  /**
   * What goes out last, when the turn has ended well.
   *
   * @param isCut a limit of the model has ended its answer
   */
  end(isCut: boolean): string;
}
