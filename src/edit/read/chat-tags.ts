const opening = /^[ \t]*<chat>/;
const closing = "</chat>";

/** Takes `<chat>` tags off the text of an answer that comes in pieces. */
export class ChatTags {
  #isOpen = false;
  /** What may become the closing tag. */
  #held = "";

  /** The beginning of a line, or more of it, without the opening tag that it begins with. */
  open(start: string): string {
    const tag = opening.exec(start);
    if (tag === null) return start;
    this.#isOpen = true;
    return start.slice(tag[0].length);
  }

  /** What of the text is sure to be text. */
  push(text: string): string {
    if (!this.#isOpen) return text;
    const all = this.#held + text;
    const at = all.indexOf(closing);
    this.#isOpen = at === -1;
    this.#held = at === -1 ? endThatBegins(closing, all) : "";
    return at === -1
      ? all.slice(0, all.length - this.#held.length)
      : all.slice(0, at) + all.slice(at + closing.length);
  }

  /** What was held back: no tag came of it. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

/** The longest end of the text that the word begins with, short of the whole word. */
function endThatBegins(word: string, text: string): string {
  let length = Math.min(text.length, word.length - 1);
  while (!word.startsWith(text.slice(text.length - length))) length -= 1;
  return text.slice(text.length - length);
}
