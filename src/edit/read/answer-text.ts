// The text of an answer on its way out, and code blocks that wait until it is clear whether they are edits.
import type { CodeBlock, EditReaderEvent } from "./file-edit.ts";

const opening = /^[ \t]*<chat>/;
const closing = "</chat>";
/** What may become the closing tag. */
const closingStart = /<(?:\/(?:c(?:h(?:at?)?)?)?)?$/;

/** Passes text on at once, or, from the first code block on, once it is clear what the blocks are; without `<chat>` tags. */
export class AnswerText {
  /** What comes next is text for the person, in a tag. */
  isChat = false;
  /** Lines that are around edits, until it is clear whether one follows. */
  readonly covers: string[] = [];
  /** Code blocks that were read to their end and are no explicit edits. */
  readonly blocks: CodeBlock[] = [];
  /** What may become the closing tag. */
  #held = "";
  readonly #tell: (event: EditReaderEvent) => void;
  /** Code blocks are held, not passed on line by line. */
  holdsBlocks: boolean;
  readonly #waiting: (string | CodeBlock)[] = [];

  /** @param holdsBlocks code blocks come as events, at the end of an answer without explicit edits */
  constructor(tell: (event: EditReaderEvent) => void, holdsBlocks: boolean) {
    this.#tell = tell;
    this.holdsBlocks = holdsBlocks;
  }

  /** Takes lines, and those around them. */
  pass(raws: readonly string[]): void {
    for (const raw of [...this.covers.splice(0), ...raws]) this.open(raw);
  }

  /** The beginning of a line. */
  open(start: string): void {
    const [tag = ""] = opening.exec(start) ?? [];
    this.isChat ||= tag !== "";
    this.add(start.slice(tag.length));
  }

  add(text: string): void {
    if (!this.isChat) {
      this.#pass(text);
      return;
    }
    const all = this.#held + text;
    const at = all.indexOf(closing);
    this.isChat = at === -1;
    [this.#held = ""] = (this.isChat && closingStart.exec(all)) || [];
    const end = this.isChat ? all.length - this.#held.length : at;
    this.#pass(all.slice(0, end) + (this.isChat ? "" : all.slice(at + closing.length)));
  }

  /** A whole code block. */
  addBlock(block: CodeBlock): void {
    this.blocks.push(block);
    if (this.holdsBlocks) this.#waiting.push(block);
    else this.add(block.raw);
  }

  /** An explicit edit comes: what is around it is no text, and code blocks are, those before it and those after it. */
  decide(): void {
    this.covers.length = 0;
    this.#release(({ raw }) => this.#pass(raw));
  }

  /** @param edits the blocks that were read as edits */
  end(edits: ReadonlySet<CodeBlock>): void {
    this.#release((block) => {
      if (!edits.has(block)) this.#tell({ type: "block", block });
    });
  }

  #release(tellBlock: (block: CodeBlock) => void): void {
    // What was held back of a tag is text.
    this.#pass(this.#held);
    this.#held = "";
    this.holdsBlocks = false;
    for (const part of this.#waiting.splice(0)) {
      if (typeof part === "string") this.#pass(part);
      else tellBlock(part);
    }
  }

  #pass(text: string): void {
    if (text === "") return;
    if (this.#waiting.length > 0) this.#waiting.push(text);
    else this.#tell({ type: "text", text });
  }
}
