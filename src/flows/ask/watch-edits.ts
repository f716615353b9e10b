// A relay that notices where a model begins to write an edit: up to there the answer goes on as it comes.
import { EditReader } from "../../edit/read/edit-reader.ts";
import type { EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import { mapAnswer } from "../../turn/relay.ts";
import { readDeltas } from "../../model/chat/chat-chunk.ts";
import type { ModelEvent, Relay, RelayedEvent } from "../../turn/turn-event.ts";

const tag = "<file-edit";
const tagPattern = /^<file-edit[\s>]/;

/** The same relay, without the edits in tags of its text. @param files gets those, when it is over */
export function watchEdits(relay: Relay, files: FileEdit[]): Relay {
  return {
    ended: relay.ended,
    cancel: () => relay.cancel(),
    async pipe(sink) {
      const gate = new TagGate<RelayedEvent>(files);
      const passOn = (events: readonly RelayedEvent[]): boolean =>
        events.reduce((wantsMore, event) => sink.take(event) && wantsMore, true);
      await relay.pipe({
        take: (event) => passOn(gate.take(event)),
        drained: () => sink.drained(),
      });
      passOn(gate.end());
    },
    deltas() {
      const gate = new TagGate<ModelEvent>(files);
      return mapAnswer(
        relay.deltas(),
        (event) => gate.take(event),
        () => gate.end(),
      );
    },
  };
}

/** Lets events through until a line begins with the tag; from there on a reader takes the text. */
class TagGate<Event extends RelayedEvent> {
  #reader: EditReader | undefined;
  /** The event before the held ones. */
  #previous: Event | undefined;
  /** Events that wait until it is known whether their text begins a tag, and this text. */
  #held: Event[] = [];
  #text = "";
  readonly #files: FileEdit[];

  constructor(files: FileEdit[]) {
    this.#files = files;
  }

  take(event: Event): readonly (Event | ModelEvent)[] {
    if (this.#reader !== undefined) return readEvent(this.#reader, event);
    const isOpen = this.#held.length > 0;
    if (!isOpen && !hasAngle(event)) return this.#pass([event]);
    const text = textOf(event);
    this.#held.push(event);
    this.#text += text;
    if (text === "" && isOpen) return [];
    const found = findTag(this.#text, () => this.#previous && textOf(this.#previous));
    if (found === "maybe") return [];
    if (found === "none") return this.#pass(this.#held.splice(0));
    const reader = new EditReader({ forms: "explicit", tagged: "code" });
    this.#reader = reader;
    return this.#held.splice(0).flatMap((one) => readEvent(reader, one));
  }

  end(): readonly (Event | ModelEvent)[] {
    if (this.#reader === undefined) return this.#held.splice(0);
    const last = this.#reader.end({ isStopped: true }).flatMap(toModelEvent);
    this.#files.push(...this.#reader.files);
    return last;
  }

  #pass(events: readonly Event[]): readonly Event[] {
    this.#text = "";
    this.#previous = events.findLast(({ type }) => type !== "upstream-event") ?? this.#previous;
    return events;
  }
}

/** Whether a line of the text begins with the tag, or may do so with what comes next. @param before the text before */
function findTag(text: string, before: () => string | undefined): "tag" | "maybe" | "none" {
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) {
    const rest = text.slice(at, at + tag.length + 1);
    const isWhole = rest.length > tag.length;
    const fits = isWhole ? tagPattern.test(rest) : tag.startsWith(rest);
    if (fits && beginsLine(text.slice(0, at), before)) return isWhole ? "tag" : "maybe";
  }
  return "none";
}

function beginsLine(head: string, before: () => string | undefined): boolean {
  const line = head.slice(head.lastIndexOf("\n") + 1);
  if (line.trim() !== "") return false;
  if (line.length < head.length) return true;
  const previous = before() ?? "";
  return previous.slice(previous.lastIndexOf("\n") + 1).trim() === "";
}

function readEvent<Event extends RelayedEvent>(
  reader: EditReader,
  event: Event,
): readonly (Event | ModelEvent)[] {
  const text = textOf(event);
  return text === "" ? [event] : reader.push(text).flatMap(toModelEvent);
}

function toModelEvent(event: EditReaderEvent): ModelEvent[] {
  if (event.type === "text") return [{ type: "text-delta", text: event.text }];
  return event.type === "reasoning" ? [{ type: "reasoning-delta", text: event.text }] : [];
}

function textOf(event: RelayedEvent): string {
  if (event.type === "text-delta") return event.text;
  if (event.type !== "upstream-frames") return "";
  return readDeltas(event.bytes)
    .map(({ content }) => content ?? "")
    .join("");
}

const decoder = new TextDecoder();

/** Whether there is a `<`, which JSON may write as `\u003c`. */
function hasAngle(event: RelayedEvent): boolean {
  if (event.type === "text-delta") return event.text.includes("<");
  // Read as a text, which takes less time than to look at each byte.
  return event.type === "upstream-frames" && /<|\\u003c/i.test(decoder.decode(event.bytes));
}
