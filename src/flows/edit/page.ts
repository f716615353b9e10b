import type { TurnEvent } from "../../turn/turn-event.ts";

/** The Markdown of an answer as it goes out, piece by piece: knows what is missing for a new paragraph. */
export class Page {
  /** The last two characters that went out. */
  #end: string;
  #isInList = false;

  /** @param end of what went out before; nothing by default */
  constructor(end = "\n\n") {
    this.#end = end;
  }

  /** Text of a model, as it comes. Leaves a list first. */
  *write(text: string): Generator<TurnEvent, void, void> {
    const rest = this.#isInList ? text.replace(/^\s*\n/, "") : text;
    if (rest === "" || (this.#isInList && rest.trim() === "")) return;
    if (this.#isInList) yield this.#send("\n");
    this.#isInList = false;
    yield this.#send(rest);
  }

  /**
   * Text that begins a paragraph of its own.
   *
   * @param brief the same without what an edit or an action says, see `TextDelta`
   */
  *block(text: string, brief?: string): Generator<TurnEvent, void, void> {
    this.#isInList = false;
    yield this.#send(
      this.#gap() + text,
      brief === undefined || brief === "" ? brief : `\n\n${brief}`,
    );
  }

  /** A list item about the place of an edit, which an edit event tells, too. */
  *item(text: string): Generator<TurnEvent, void, void> {
    const gap = this.#isInList ? "" : this.#gap();
    this.#isInList = true;
    yield this.#send(`${gap}- ${text}\n`, "");
  }

  #gap(): string {
    if (this.#end === "\n\n") return "";
    return this.#end.endsWith("\n") ? "\n" : "\n\n";
  }

  #send(text: string, brief?: string): TurnEvent {
    this.#end = (this.#end + text).slice(-2);
    return { type: "text-delta", text, ...(brief === undefined ? {} : { brief }) };
  }
}
