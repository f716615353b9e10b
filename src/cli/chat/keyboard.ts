// What the person types: lines with their history and completion, blocks that they paste, and keys that stop an answer.
import { createInterface } from "node:readline";
import { type Readable, type Writable, PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { ReadStream } from "node:tty";
import type { Timers } from "../../base/wire/patient-timer.ts";
import type { CliTexts } from "../texts.ts";
import type { PromptStreams } from "../call/terminal.ts";

const [escape, interrupt] = ["\u001b", "\u0003"];
/** Have the terminal mark what is pasted, and how it marks it (xterm, "Bracketed Paste Mode"). */
const [markPastes, leavePastes] = ["\u001b[?2004h", "\u001b[?2004l"];
const [pasteStart, pasteEnd] = ["\u001b[200~", "\u001b[201~"];
const altEnter = "\u001b\r";
/** How a line end is shown in the line that is typed. */
const lineEnd = "↵";
const maxShown = 200;
/** After an Escape that belongs to no other key, in milliseconds. */
const escapeTime = 50;

/** A text as it is shown on one line to type. */
export function showLineEnds(text: string): string {
  return text.replaceAll("\n", lineEnd);
}

export interface KeyboardParts {
  input: Readable & Partial<Pick<ReadStream, "setRawMode" | "isRaw">>;
  output: Writable;
  texts: Pick<CliTexts, "pasted" | "leaveAgain">;
  timers: Timers;
}

export interface LineOptions {
  prompt: string;
  /** Earlier inputs, the latest first. */
  history: string[];
  /** The hits, and the end of the line that each of them takes the place of. */
  complete: (line: string) => Promise<[hits: string[], end: string]>;
}

export type Keyboard = ReturnType<typeof createKeyboard>;

/** Takes the keys of a terminal, until it is closed. Whoever asks something else there reads `streams`. */
export function createKeyboard({ input, output, texts, timers }: KeyboardParts) {
  const decoder = new StringDecoder("utf8");
  const blocks = new Map<string, string>();
  /** What was typed while an answer came: for the next line, and for nobody else who asks. */
  const ahead: string[] = [];
  let onStop: ((isInterrupt: boolean) => void) | undefined;
  /** What may be the beginning of a mark. */
  let held = "";
  /** What has come of a block that is being pasted. It is only added to, as to read it costs as much as it is long. */
  let pasted: string | undefined;
  let isAsking = false;
  let cancel: (() => void) | undefined;

  const setRaw = (isRaw: boolean): void => void input.setRawMode?.(isRaw);
  // Prompts close their stream, and ask it whether it is a terminal.
  const keys = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      keys.isRaw = isRaw;
      setRaw(isRaw);
      return keys;
    },
  });

  /** A block as it is shown in the line, which stands for it. */
  const nameBlock = (block: string): string => {
    const text = block.replace(/\r\n?/g, "\n").trimEnd();
    // Tabs would complete, other keys do what they do.
    const isPlain = text.length <= maxShown && !/[^\P{Cc}\n]|↵/u.test(text);
    if (isPlain) return showLineEnds(text);
    let [nth, name] = [blocks.size + 1, ""];
    do name = `[${texts.pasted(text.split("\n").length, nth++)}]`;
    while (blocks.has(name));
    blocks.set(name, text);
    return name;
  };
  const typed = (text: string): void => {
    if (text === "") return;
    if (onStop !== undefined) {
      const isInterrupt = text.includes(interrupt);
      if (isInterrupt || text.endsWith(escape) || text.includes(escape + escape))
        return onStop(isInterrupt);
      return void ahead.push(text);
    }
    // Of a terminal that marks no pastes, only a block has a line end in the middle of what comes at once.
    const isBlock = isAsking && /[\r\n]/.test(text.trimEnd()) && !text.includes(escape);
    keys.write(isBlock ? nameBlock(text) : text.replaceAll(altEnter, lineEnd));
  };
  const take = (bytes: Uint8Array | string): void => {
    cancel?.();
    const text = typeof bytes === "string" ? bytes : decoder.write(Buffer.from(bytes));
    // A terminal that forgets the end must not lock the person in.
    if (pasted !== undefined && text === interrupt) [held, pasted] = ["", undefined];
    held += text;
    for (;;) {
      const mark = pasted === undefined ? pasteStart : pasteEnd;
      const at = held.indexOf(mark);
      if (at === -1) break;
      const before = held.slice(0, at);
      held = held.slice(at + mark.length);
      if (pasted === undefined) typed(before);
      else keys.write(nameBlock(pasted + before));
      pasted = pasted === undefined ? "" : undefined;
    }
    if (pasted !== undefined) {
      // The mark may come in pieces.
      const seen = Math.max(0, held.length - pasteEnd.length);
      pasted += held.slice(0, seen);
      held = held.slice(seen);
      return;
    }
    // What may be the beginning of a mark, or of another key, waits for the rest.
    const last = held.slice(Math.max(0, held.lastIndexOf(escape)));
    const tail = last !== "" && pasteStart.startsWith(last) ? last : "";
    const whole = held.slice(0, held.length - tail.length);
    held = tail;
    typed(whole);
    if (tail === "") return;
    cancel = timers.start(() => {
      held = "";
      typed(tail);
    }, escapeTime);
  };
  const end = (): void => void keys.end();
  input.on("data", take);
  input.on("end", end);
  // Who asked before has paused it.
  input.resume();
  output.write(markPastes);

  const streams: PromptStreams = { input: keys, output };
  const askLine = async ({ prompt, history, complete }: LineOptions) => {
    const lines = createInterface({
      ...streams,
      terminal: true,
      prompt,
      // It adds to it what was typed, in its own way.
      history: [...history],
      historySize: 500,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (failure: null, found: [string[], string]) => void) => {
        void (async () => {
          // Nobody wants to read at a Tab what is wrong with a folder.
          done(null, await complete(line).catch((): [string[], string] => [[], line]));
        })();
      },
      escapeCodeTimeout: escapeTime,
    });
    let isLeaving = false;
    isAsking = true;
    try {
      return await new Promise<string | undefined>((resolve) => {
        lines.on("line", (line) => {
          resolve(line);
          // At once: what comes after it is for the next one.
          lines.close();
        });
        lines.on("close", () => resolve(undefined));
        lines.on("SIGINT", () => {
          if (lines.line === "" && isLeaving) return resolve(undefined);
          isLeaving = lines.line === "";
          if (isLeaving) output.write(`\n${texts.leaveAgain}\n`);
          else {
            lines.write(null, { ctrl: true, name: "e" });
            lines.write(null, { ctrl: true, name: "u" });
          }
          lines.prompt();
        });
        lines.prompt();
        // A line at a time: what comes with its end is lost with it.
        for (const piece of ahead.splice(0).flatMap((text) => text.split(/(?<=\r)/)))
          keys.write(piece);
      });
    } finally {
      isAsking = false;
      lines.close();
    }
  };

  return {
    streams,
    /** The message as it was typed and pasted; undefined when the person leaves. A `\` at the end goes on in a new line. */
    async readMessage(options: LineOptions): Promise<string | undefined> {
      let message = "";
      for (let { prompt } = options; ; prompt = "… ") {
        const line = await askLine({ ...options, prompt });
        if (line === undefined) return undefined;
        const isOpen = line.endsWith("\\");
        message += isOpen ? `${line.slice(0, -1)}\n` : line;
        if (isOpen) continue;
        // One pass: a block may hold what looks like the name of another one.
        return message.replace(/\[[^[\]\n]{1,60}\]|↵/g, (found) =>
          found === lineEnd ? "\n" : (blocks.get(found) ?? found),
        );
      }
    },
    /** Has Escape and Ctrl-C stop something while it lasts; what is typed besides is kept for the next line. */
    async watch<Value>(stop: (isInterrupt: boolean) => void, work: () => Promise<Value>) {
      // Without an encoding, streams hold buffers.
      const left = keys.read() as Buffer | null;
      if (left !== null) ahead.unshift(left.toString());
      onStop = stop;
      setRaw(true);
      try {
        return await work();
      } finally {
        onStop = undefined;
        setRaw(false);
      }
    },
    /** Lets somebody else ask, who reads `streams`. */
    async lend<Value>(work: () => Promise<Value>): Promise<Value> {
      const before = onStop;
      onStop = undefined;
      output.write(leavePastes);
      try {
        return await work();
      } finally {
        output.write(markPastes);
        onStop = before;
        setRaw(before !== undefined);
      }
    },
    close(): void {
      cancel?.();
      output.write(leavePastes);
      setRaw(false);
      input.off("data", take);
      input.off("end", end);
      input.pause();
    },
  };
}
