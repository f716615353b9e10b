// The filters that we add to Liquid's own, and those of its names that are ours.
import { fence } from "../../context/fence.ts";
import { countLineFeeds } from "../../context/text-lines.ts";
import { languageOf } from "../../context/language.ts";
import { cutToTokens } from "../cut-to-tokens.ts";
import type { OwnFilter } from "./filter.ts";
import { type FueledContext, textOfParts } from "./fueled-context.ts";
import { printValue, toJson } from "../readable.ts";

/** What a line costs, and a character. */
const [linePrice, character] = [25, 0.8];

export const ownFilters: Readonly<Record<string, OwnFilter>> = {
  fence: function* ({ fuel }, value, info) {
    const text = yield* printValue(value, fuel);
    const word = typeof info === "string" ? info : "";
    fuel.use((text.length + word.length) * character);
    return fence(text, languageOf(word) || word);
  },
  line_numbers: function* ({ fuel }, value, first) {
    const text = yield* printValue(value, fuel);
    const lines = countLineFeeds(text) + 1;
    fuel.use(lines * linePrice + text.length * character);
    return numberLines(text, lines, Number.isInteger(first) ? Number(first) : 1);
  },
  tokens: function* ({ fuel }, value, most) {
    const text = yield* printValue(value, fuel);
    fuel.use(text.length * character);
    const limit = Number(textOfParts(most, fuel));
    return cutToTokens(text, limit, () => fuel.use(linePrice));
  },
  json: printJson,
  jsonify: printJson,
  inspect: printJson,
};

function printJson({ fuel, memoryLimit }: FueledContext, value: unknown, indent: unknown): string {
  const text = toJson(value ?? null, fuel, Number(textOfParts(indent ?? 0, fuel)));
  memoryLimit.use(text.length);
  return text;
}

function numberLines(text: string, count: number, first: number): string {
  const width = String(first + count - 1).length;
  return text
    .split("\n")
    .map((line, index) => `${String(first + index).padStart(width)} | ${line}`)
    .join("\n");
}
