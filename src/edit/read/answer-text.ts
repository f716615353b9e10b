// The text of an answer on its way out, and code blocks that wait until it is clear whether they are edits.
import type { CodeBlock, EditReaderEvent } from "./file-edit.ts";

/** Passes text on at once, or, from the first code block on, once it is clear what the blocks are. */
export class AnswerText {
  readonly #chatTags = new ChatTags();
  readonly #tell: (event: EditReaderEvent) => void;
  readonly #holdsBlocks: boolean;
  #waiting: (string | CodeBlock)[] = [];
  #isDecided = false;

  /** @param holdsBlocks code blocks come as events, at the end of an answer without explicit edits */
  constructor(tell: (event: EditReaderEvent) => void, holdsBlocks: boolean) {
    this.#tell = tell;
    this.#holdsBlocks = holdsBlocks;
  }

  /** Code blocks are held, not passed on line by line. */
  get holdsBlocks(): boolean {
    return this.#holdsBlocks && !this.#isDecided;
  }

  /** What comes next is text for the person. */
  get isChat(): boolean {
    return this.#chatTags.isOpen;
  }

  /** The beginning of a line. */
  open(start: string): void {
    this.add(this.#chatTags.open(start));
  }

  add(text: string): void {
    this.#pass(this.#chatTags.push(text));
  }

  /** A whole code block. */
  addBlock(block: CodeBlock): void {
    if (this.holdsBlocks) this.#waiting.push(block);
    else this.add(block.raw);
  }

  /** What was held back of a tag is text. */
  settle(): void {
    this.#pass(this.#chatTags.end());
  }

  /** An explicit edit comes: code blocks are text, those before it and those after it. */
  decide(): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    for (const part of this.#flush()) this.#pass(typeof part === "string" ? part : part.raw);
  }

  /** @param edits the blocks that were read as edits */
  end(edits: ReadonlySet<CodeBlock>): void {
    this.settle();
    this.#isDecided = true;
    for (const part of this.#flush()) {
      if (typeof part === "string") this.#pass(part);
      else if (!edits.has(part)) this.#tell({ type: "block", block: part });
    }
  }

  #flush(): (string | CodeBlock)[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  #pass(text: string): void {
    if (text === "") return;
    if (this.#waiting.length > 0) this.#waiting.push(text);
    else this.#tell({ type: "text", text });
  }
}

const opening = /^[ \t]*<chat>/;
const closing = "</chat>";

/** Takes `<chat>` tags off the text of an answer that comes in pieces. */
class ChatTags {
  isOpen = false;
  /** What may become the closing tag. */
  #held = "";

  /** The beginning of a line, or more of it, without the opening tag that it begins with. */
  open(start: string): string {
    const tag = opening.exec(start);
    if (tag === null) return start;
    this.isOpen = true;
    return start.slice(tag[0].length);
  }

  /** What of the text is sure to be text. */
  push(text: string): string {
    if (!this.isOpen) return text;
    const all = this.#held + text;
    const at = all.indexOf(closing);
    this.isOpen = at === -1;
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
