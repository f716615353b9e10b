// The kinds of values that settings have. Each reads the text of an environment variable and what JSON holds.
import { trimEndSigns } from "../../edit/trim-signs.ts";
import * as z from "zod";

/** How a setting is read and explained. The table in docs/settings.md is printed from this. */
export interface Setting<Value> {
  /** Environment variables, the strongest first. */
  variables: readonly string[];
  schema: z.ZodType<Value>;
  about: string;
  /** Never printed. */
  secret?: boolean;
  /** The names of a row's fields, where the value is a table. */
  fields?: readonly string[];
}

/** Longest time in milliseconds; timers fire at once for a longer one. */
const maxTime = 2_147_483_647;

export const define = <Value>(
  variables: string | readonly string[],
  schema: z.ZodType<Value>,
  about: string,
  secret = false,
): Setting<Value> => ({
  variables: typeof variables === "string" ? [variables] : variables,
  schema,
  about,
  secret,
});

/** A text of items between commas as a list; other values as they are. */
export const listFromText = (value: unknown): unknown =>
  typeof value === "string" ? splitList(value) : value;
export const numberFromText = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" ? Number(value) : value;

export const milliseconds = (normal: number) =>
  z.preprocess(numberFromText, z.int().min(1).max(maxTime)).default(normal);
export const count = (normal: number, least = 1) =>
  z.preprocess(numberFromText, z.int().min(least)).default(normal);
/** Yes or no; the environment has only texts for it. */
export const flag = () =>
  z
    .preprocess(
      (value) => (typeof value === "boolean" ? String(value) : value),
      z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }),
    )
    .default(false);
export const texts = () => z.preprocess(listFromText, z.array(z.string())).default([]);
export const url = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((text) => trimEndSigns(text, "/"))
    .optional();
export const oneText = () => z.string().min(1).optional();

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
