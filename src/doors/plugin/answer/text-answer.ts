import { ReasoningSplitter, type SplitPiece } from "../../../edit/read/reasoning-splitter.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import type { PlainEvent } from "../../../turn/turn-event.ts";
import type { Answer } from "./answer.ts";
import { listTree } from "./tree-list.ts";

/** Passes text on as it comes, without what the model thinks; of actions only what a tree lists is left. */
export class TextAnswer implements Answer {
  readonly #locale: Locale;
  readonly #last: string;
  /** Models may think aloud in the middle of an answer, too. */
  readonly #splitter = new ReasoningSplitter();
  /** The lines of the tree that follows have gone out. */
  #knowsTree = false;
  /** What is missing for a new paragraph after what went out. */
  #gap = "";

  /** @param last a sentence that ends the answer; "" for none */
  constructor(locale: Locale, last: string) {
    this.#locale = locale;
    this.#last = last;
  }

  take(event: PlainEvent): string {
    switch (event.type) {
      case "text-delta":
        return this.#pass(this.#spoken(event.brief ?? event.text));
      case "tree-lines": {
        const text = this.#knowsTree ? this.#pass(event.text) : this.#block(event.text);
        this.#knowsTree = true;
        return text;
      }
      case "action":
        return event.action.action === "tree" && !this.#knowsTree
          ? this.#block(listTree(event.action, this.#locale))
          : "";
      default:
        return "";
    }
  }

  end(): string {
    return this.#pass(textOf(this.#splitter.end())) + this.#block(this.#last);
  }

  #spoken(text: string): string {
    return text === "" ? "" : textOf(this.#splitter.push(text));
  }

  #pass(text: string): string {
    if (text !== "") this.#gap = text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return text;
  }

  #block(text: string): string {
    if (text === "") return "";
    const gap = this.#gap;
    return gap + this.#pass(text);
  }
}

function textOf(pieces: readonly SplitPiece[]): string {
  return pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join("");
}
