import * as z from "zod";

/** The languages that people and models are spoken to in. */
export const Locale = z.enum(["en", "zh"]);
export type Locale = z.infer<typeof Locale>;

/**
 * Reads a language tag (`zh-CN`, `en_US`, `ZH`) or the first tag of an Accept-Language list that
 * we speak. Answers undefined when none is ours, so that the caller's own default stands.
 */
export function parseLocale(tags: string | null | undefined): Locale | undefined {
  for (const tag of (tags ?? "").toLowerCase().split(",")) {
    const language = tag.split(/[-_;]/, 1)[0]?.trim();
    for (const locale of Locale.options) if (locale === language) return locale;
  }
  return undefined;
}
