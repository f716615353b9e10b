import { createParser } from "eventsource-parser";
import * as z from "zod";
import { filler } from "../fake-answer.ts";

const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().nullish() }) })),
});
const Action = z.looseObject({ action: z.string() });

/**
 * Checks one stream as a careful client would read it: every event is parsed, the end marker comes once and last,
 * and the text is the one that the fake model has sent.
 *
 * @returns how many buttons and trees came
 * @throws Error that says what is wrong
 */
export function checkStrictly(stream: string, chunks: number): number {
  let text = "";
  let actions = 0;
  let ends = 0;
  const parser = createParser({
    onEvent({ event, data }) {
      if (ends > 0) throw new Error("the end marker is not the last event");
      if (data.toUpperCase() === "[DONE]") ends += 1;
      else if (event === "copilot_action") {
        Action.parse(JSON.parse(data));
        actions += 1;
      } else text += Chunk.parse(JSON.parse(data)).choices[0]?.delta.content ?? "";
    },
    onError(error) {
      throw error;
    },
  });
  parser.feed(stream);
  if (ends === 0 || !stream.endsWith("\n\n")) throw new Error("the stream has no end");
  const sent = Array.from(
    { length: chunks },
    (_, nth) => `${String(nth + 1).padStart(6, "0")}${filler}`,
  );
  // Nothing may come before, between or after the chunks, either.
  if (text.replaceAll(/@(\d{6}):\d{12}@/g, "$1") !== sent.join(""))
    throw new Error(`the text is not the ${chunks} chunks that were sent`);
  return actions;
}
