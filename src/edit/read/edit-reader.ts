// A model's answer in, as deltas; out come its text and, as soon as each is sure, its edits.
import { AnswerScanner } from "./answer-scanner.ts";
import { AnswerText } from "./answer-text.ts";
import type { TextLine } from "./blocks/quoted-sentences.ts";
import { readBlocks } from "./blocks/read-blocks.ts";
import { CollectedEdits } from "./collected-edits.ts";
import type {
  Alternative,
  CodeBlock,
  EditReaderEvent,
  EditReaderOptions,
  EndOptions,
  FileEdit,
} from "./file-edit.ts";
import { describeDiff } from "../describe-error.ts";
import { ReasoningSplitter, type SplitPiece } from "../../base/text/reasoning.ts";

/**
 * Reads an answer piece by piece. How it is cut into pieces changes nothing but the cuts of the text.
 *
 * Units may be inside `<file-edit filePath="...">`, in code fences, or bare, and in many dresses; edits
 * in other forms are read as well ({@link EditForm}). A code fence that holds nothing but edits is no text;
 * `<chat>` tags around the text are taken off, and reasoning is split off. A tag that is not closed refuses
 * its file, since an answer that was cut may lack units.
 */
export class EditReader {
  readonly #events: EditReaderEvent[] = [];
  readonly #splitter: ReasoningSplitter | undefined;
  readonly #edits: CollectedEdits;
  readonly #text: AnswerText;
  readonly #scanner: AnswerScanner;
  readonly #isExplicit: boolean;
  readonly #file: string | undefined;
  #isFirst = true;

  constructor({
    forms = "all",
    blocks = "text",
    tagged = "fault",
    reasoning = "marked",
    file,
  }: EditReaderOptions = {}) {
    this.#splitter = reasoning === "marked" ? new ReasoningSplitter() : undefined;
    const tell = (event: EditReaderEvent): void => {
      this.#events.push(event);
    };
    this.#text = new AnswerText(tell, blocks === "events");
    this.#edits = new CollectedEdits(tell);
    this.#scanner = new AnswerScanner(this.#edits, this.#text, tagged === "code", file ?? "");
    this.#isExplicit = forms === "explicit";
    this.#file = file;
  }

  /** The edits by file, in the order of the answer; complete after `end`. */
  get files(): FileEdit[] {
    return this.#edits.files;
  }

  /**
   * Several complete changes from which the person has to choose, two or more; complete after `end`. Their
   * edits are not among `files`, and come as no events.
   */
  get alternatives(): Alternative[] {
    return this.#edits.alternatives;
  }

  /** The lines of text, without fenced code and empty ones. */
  get said(): readonly TextLine[] {
    return this.#scanner.lead.lines;
  }

  /** Its code blocks that are no explicit edits; complete after `end`. */
  get blocks(): readonly CodeBlock[] {
    return this.#text.blocks;
  }

  /** What comes next belongs to an edit, or is text in a tag for the person. */
  get isInside(): boolean {
    return this.#scanner.isEdit || this.#text.isChat;
  }

  push(delta: string): EditReaderEvent[] {
    const whole: SplitPiece[] = [{ type: "text", text: delta }];
    for (const piece of this.#splitter?.push(delta) ?? whole) this.#take(piece);
    return this.#events.splice(0);
  }

  /** The answer ends here. */
  end({ isStopped = false }: EndOptions = {}): EditReaderEvent[] {
    for (const piece of this.#splitter?.end() ?? []) this.#take(piece);
    this.#scanner.end(isStopped);
    const found = this.#edits.isEmpty
      ? readBlocks(this.#text.blocks, this.#scanner.lead.lines, this.#isExplicit, this.#file)
      : [];
    this.#text.end(new Set<CodeBlock>(found.flatMap(({ blocks }) => blocks)));
    // Half of a change is another change.
    const isCut = this.#text.blocks.at(-1)?.isClosed === false;
    const error = isCut && describeDiff("truncated", "The last code block is not closed.");
    for (const { edit, blocks } of found) {
      this.#edits.enter(blocks[0]?.option);
      this.#edits.take([error ? { ...edit, error } : edit]);
    }
    this.#edits.end();
    return this.#events.splice(0);
  }

  #take(piece: SplitPiece): void {
    if (piece.type !== "text") {
      this.#events.push(piece);
      return;
    }
    const { text } = piece;
    this.#scanner.push(this.#isFirst && text.startsWith("\uFEFF") ? text.slice(1) : text);
    this.#isFirst = false;
  }
}
