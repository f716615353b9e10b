// A stretch of an answer between two calls in; its text and its edits out.
import { EditReader } from "../../edit/read/edit-reader.ts";
import type { EditReaderEvent } from "../../edit/read/file-edit.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { type EditReading, lineOfEdit, readEdit, readWholeFile } from "./calls-of-edits.ts";

/** Text for the person, or what the model thought. */
export type Piece = { type: "text"; text: string } | { type: "reasoning"; text: string };

interface Ended {
  pieces: Piece[];
  /** In the order of the text. */
  readings: NonNullable<EditReading>[];
}

export class EditSegment {
  readonly #reader = new EditReader({ blocks: "events", tagged: "code" });

  push(text: string): Piece[] {
    return this.#reader.push(text).filter(isPiece);
  }

  /** @param isStopped the model ended by itself, or a call comes next */
  end(isStopped: boolean): Ended {
    const pieces: Piece[] = [];
    const found: { line: number; reading: EditReading }[] = [];
    for (const event of this.#reader.end({ isStopped })) {
      const call = event.type === "block" ? readWholeFile(event.block) : undefined;
      if (isPiece(event)) pieces.push(event);
      else if (event.type !== "block") continue;
      else if (call === undefined) pieces.push({ type: "text", text: event.block.raw });
      else found.push({ line: event.block.line, reading: { call } });
    }
    for (const edit of this.#reader.files)
      found.push({ line: lineOfEdit(edit), reading: readEdit(edit, isStopped) });
    if (this.#reader.alternatives.length > 0)
      found.push({ line: Infinity, reading: { fault: severalOptions } });
    const readings = found
      .sort((one, other) => (one.line === other.line ? 0 : one.line < other.line ? -1 : 1))
      .map(({ reading }) => reading)
      .filter((reading) => reading !== undefined);
    return { pieces, readings };
  }
}

function isPiece(event: EditReaderEvent): event is Piece {
  return event.type === "text" || event.type === "reasoning";
}

const severalOptions: Message = {
  en: "Your answer offers several ways to change the code, so none was made. Choose one and send only that.",
  zh: "回答给出了多种修改方案，因此没有执行任何一种。请选择一种，只发送该方案。",
};
