import { createNaming } from "../../workspace/memory/memory-workspace.ts";
import { type ChangedFile, wholeText } from "../../workspace/source/held-file.ts";
import type { Channel } from "../../base/wire/channel.ts";

/** Fields beside those of the document: `task_id`, `queue_length`. Plain JSON. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/**
 * Writes the answer to one request (plugin document, section 2.3): in frames with `stream_seq_id` from 0 and
 * `stream_finsh`, or as one. A failure is `{request_id, error}` alone, also after frames. Nothing follows the end.
 */
export class FrameWriter {
  readonly #channel: Channel;
  readonly #head: string;
  readonly #isStream: boolean;
  #next = 0;
  #text = "";
  #isOver = false;

  /** @param id the request_id as JSON; undefined where there was none */
  constructor(channel: Channel, id: string | undefined, isStream: boolean) {
    this.#channel = channel;
    this.#head = id === undefined ? "{" : `{"request_id":${id},`;
    this.#isStream = isStream;
  }

  /** Whether something of the answer has gone out. */
  get hasBegun(): boolean {
    return this.#next > 0;
  }

  /** @returns false where the client is slower than we are */
  write(text: string): boolean {
    if (this.#isOver || text === "") return true;
    if (!this.#isStream) {
      this.#text += text;
      return true;
    }
    return this.#channel.send(
      `${this.#head}"msg":${JSON.stringify(text)},"stream_seq_id":${this.#next++},"stream_finsh":false}`,
    );
  }

  end(extra: ExtraFields = {}): void {
    const streamed = this.#isStream ? `,"stream_seq_id":${this.#next},"stream_finsh":true` : "";
    this.#finish(`"msg":${JSON.stringify(this.#text)}${streamed}${printExtra(extra)}`);
  }

  fail(error: string, extra: ExtraFields = {}): void {
    this.#finish(`"error":${JSON.stringify(error)}${printExtra(extra)}`);
  }

  #finish(fields: string): void {
    if (!this.#isOver) this.#channel.send(`${this.#head}${fields}}`);
    this.#isOver = true;
  }

  /** A frame beside the answer: only for plugins that know it. */
  tell(fields: ExtraFields): void {
    if (!this.#isOver) this.#channel.send(`${this.#head}${printExtra(fields).slice(1)}}`);
  }
}

function printExtra(extra: ExtraFields): string {
  return Object.entries(extra)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join("");
}

/** Of all new texts of an answer, in UTF-16 code units: the plugin takes them in one message. */
const maxTexts = 2 * 1024 * 1024;

/** A change as the wire tells it. `before_hash` is null for a new file, `text` for one that goes. */
interface WireChange {
  filepath: string;
  before_hash: string | null;
  text: string | null;
}

/** @param names how the request names its files: these are kept, and new files are named like them */
export function printPluginChanges(changed: readonly ChangedFile[], names: readonly string[]) {
  const changes: WireChange[] = [];
  /** The paths of changes whose texts have no room. */
  const left: string[] = [];
  const nameOf = createNaming(names);
  let room = maxTexts;
  for (const { path, before, now } of changed) {
    const filepath = nameOf(path);
    const text = now === undefined ? null : wholeText(now);
    room -= text?.length ?? 0;
    if (room < 0) left.push(filepath);
    else changes.push({ filepath, before_hash: before?.hash ?? null, text });
  }
  return { changes, ...(left.length === 0 ? {} : { left_out: left }) };
}
