import * as fc from "fast-check";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { type LineOptions, createKeyboard } from "../../../src/cli/chat/keyboard.ts";
import { cliTexts } from "../../../src/cli/texts.ts";
import { createManualTimers } from "../../helpers/manual-timers.ts";
import { Screen } from "../call/screen.ts";

const [escape, interrupt, enter] = ["\u001b", "\u0003", "\r"];
const [start, end] = ["\u001b[200~", "\u001b[201~"];

function openKeyboard() {
  const [input, output, timers] = [new PassThrough(), new Screen(), createManualTimers()];
  output.resume();
  // As a prompt leaves it.
  input.pause();
  const keyboard = createKeyboard({ input, output, texts: cliTexts("en"), timers });
  onTestFinished(() => keyboard.close());
  const read = (options: Partial<LineOptions> = {}): Promise<string | undefined> =>
    keyboard.readMessage({
      prompt: "> ",
      history: [],
      complete: async (line) => [[], line],
      ...options,
    });
  return { input, output, timers, keyboard, read };
}

/** Types in pieces, as a slow connection brings them. */
async function type(input: PassThrough, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  for (const piece of pieces) {
    input.write(piece);
    await new Promise(setImmediate);
  }
}

test("a pasted block is one message, whatever is in it and wherever its bytes are cut", async () => {
  const word = fc.constantFrom(
    "a",
    "=> {",
    "价格",
    "\t",
    " ",
    "\r",
    "\n",
    "[200~",
    "~",
    "👍",
    "↵",
    "[",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1 }).map((words) => `x${words.join("")}x`),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (text, sizes) => {
        const { input, read } = openKeyboard();
        const message = read();
        const keys = Buffer.from(start + text + end);
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < keys.length; at += pieces.at(-1)?.length ?? 1)
          pieces.push(keys.subarray(at, at + (sizes.next().value ?? 1)));
        await type(input, [...pieces, enter]);
        expect(await message).toBe(text.replace(/\r\n?/g, "\n"));
      },
    ),
    { numRuns: 30 },
  );
});

test("a block is shown in few words, and words may stand around it", async () => {
  const { input, output, read } = openKeyboard();
  const block = Array.from({ length: 200_000 }, (_, nth) => `line ${nth}`).join("\r");
  let shown = "";
  output.on("data", (text) => (shown += String(text)));
  const message = read();
  await type(input, ["why ", start + block + end, "?", enter]);
  expect(await message).toBe(`why ${block.replaceAll("\r", "\n")}?`);
  expect(shown).toContain("[Pasted 200,000 lines #1]");
  expect(shown.length).toBeLessThan(2_000);
});

test("two blocks that look alike stay two", async () => {
  const { input, read } = openKeyboard();
  const message = read();
  await type(input, [
    `${start}a\tb\n1${end}`,
    " ",
    `${start}[Pasted 2 lines #1]\t\n2${end}`,
    enter,
  ]);
  expect(await message).toBe("a\tb\n1 [Pasted 2 lines #1]\t\n2");
});

test("a terminal that marks no pastes sends a block at once", async () => {
  const { input, read } = openKeyboard();
  const message = read();
  await type(input, ["one\rtwo\r", enter]);
  expect(await message).toBe("one\ntwo");
});

test("a backslash at the end and Alt-Enter begin a new line", async () => {
  const { input, read } = openKeyboard();
  const message = read();
  await type(input, ["one\\", enter, "two", "\u001b\r", "three", enter]);
  expect(await message).toBe("one\ntwo\nthree");
});

test("Ctrl-C takes back what is typed; twice at an empty prompt it leaves, and so does Ctrl-D", async () => {
  const { input, read } = openKeyboard();
  const message = read();
  await type(input, ["never", interrupt, interrupt, "kept", enter]);
  expect(await message).toBe("kept");
  const left = read();
  await type(input, [interrupt, interrupt]);
  expect(await left).toBeUndefined();
  const alsoLeft = read();
  await type(input, ["\u0004"]);
  expect(await alsoLeft).toBeUndefined();
});

test("Escape and Ctrl-C stop what lasts, arrows do not, and what is typed meanwhile is the next line", async () => {
  for (const key of [escape, interrupt]) {
    const { input, keyboard, read, timers } = openKeyboard();
    const stops: boolean[] = [];
    const over = Promise.withResolvers<void>();
    const work = keyboard.watch(
      (isInterrupt) => {
        stops.push(isInterrupt);
        over.resolve();
      },
      () => over.promise,
    );
    await type(input, ["ne", escape, "[A", "\u001b[B", "xt"]);
    timers.pass(1_000);
    expect(stops).toEqual([]);
    await type(input, [key]);
    timers.pass(1_000);
    await work;
    expect(stops).toEqual([key === interrupt]);
    const message = read();
    await type(input, [enter]);
    expect(await message).toBe("next");
  }
});

test("lines that are typed while an answer comes are the next messages, and answer nobody else", async () => {
  const { input, keyboard, read } = openKeyboard();
  let taken = "";
  const answer = () =>
    keyboard.watch(
      () => {},
      async () => {
        await type(input, ["k"]);
        await keyboard.lend(async () => {
          const take = (bytes: unknown) => (taken += String(bytes));
          keyboard.streams.input.on("data", take).resume();
          await type(input, ["y"]);
          keyboard.streams.input.off("data", take);
          keyboard.streams.input.pause();
        });
      },
    );
  await keyboard.watch(
    () => {},
    () => type(input, ["one", enter, "two", `${enter}three${enter}`]),
  );
  const messages: (string | undefined)[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    messages.push(await read());
    await answer();
  }
  expect([messages, taken]).toEqual([["one", "two", "three"], "yyy"]);
  const last = read();
  await type(input, [enter]);
  expect(await last).toBe("kkk");
});

test("while somebody else asks, Escape is theirs", async () => {
  const { input, keyboard, timers } = openKeyboard();
  const stops: boolean[] = [];
  let taken = "";
  await keyboard.watch(
    (isInterrupt) => stops.push(isInterrupt),
    () =>
      keyboard.lend(async () => {
        keyboard.streams.input.on("data", (bytes) => (taken += String(bytes))).resume();
        await type(input, [escape]);
        timers.pass(1_000);
        await new Promise(setImmediate);
      }),
  );
  expect([stops, taken]).toEqual([[], escape]);
});

test("Tab completes what there is one of", async () => {
  const { input, read } = openKeyboard();
  const message = read({ complete: async () => [["@src/cart.js"], "@cart"] });
  await type(input, ["see @cart", "\t"]);
  await new Promise(setImmediate);
  await type(input, [enter]);
  expect(await message).toBe("see @src/cart.js");
});
