import { filler } from "../answer-bytes.ts";

export type StrictResult = { ok: true; actions: number } | { ok: false; problem: string };

const chunkText = /@(\d{6}):\d{12}@([^@]*)/g;

/**
 * Checks one stream as a careful client would read it: every line and every event is parsed, the
 * end marker comes once and last, and the text is the one that the fake model has sent.
 */
export function checkStrictly(stream: string, chunks: number): StrictResult {
  const events = stream.split("\n\n");
  if (events.pop() !== "") return wrong("the last event has no end");
  if (
    events
      .at(-1)
      ?.replace(/^data: ?/, "")
      .toUpperCase() !== "[DONE]"
  )
    return wrong("the end marker is not the last event");
  let text = "";
  let actions = 0;
  for (const event of events.slice(0, -1)) {
    const parsed = parseEvent(event);
    if (parsed === undefined) return wrong(`no event: ${JSON.stringify(event.slice(0, 80))}`);
    text += parsed.text;
    actions += parsed.actions;
  }
  const found = [...text.matchAll(chunkText)];
  const isComplete =
    found.length === chunks && found.every((match, index) => Number(match[1]) === index + 1);
  if (!isComplete)
    return wrong(`the text holds ${found.length} chunks of ${chunks}, or not in order`);
  // Nothing may stand before, between or after the chunks, either.
  const isUnaltered = text.startsWith("@") && found.every((match) => match[2] === filler);
  return isUnaltered ? { ok: true, actions } : wrong("the text is altered");
}

/** @returns undefined for what is neither a chunk nor an action nor a comment */
function parseEvent(event: string): { text: string; actions: number } | undefined {
  const lines = event.split("\n").filter((line) => !line.startsWith(":"));
  if (lines.length === 0) return { text: "", actions: 0 };
  if (event.includes("\r") || !lines.every((line) => /^(?:data|event|id): ?/.test(line)))
    return undefined;
  const data = lines
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.replace(/^data: ?/, ""));
  const value = parseJson(data.join("\n"));
  if (lines.includes("event: copilot_action"))
    return read(value, "action") === undefined ? undefined : { text: "", actions: 1 };
  const choices = read(value, "choices");
  if (!Array.isArray(choices)) return undefined;
  const content = read(read(choices[0], "delta"), "content");
  return { text: typeof content === "string" ? content : "", actions: 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function wrong(problem: string): StrictResult {
  return { ok: false, problem };
}
