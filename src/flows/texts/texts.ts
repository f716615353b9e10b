import type { Locale } from "../../base/errors/locale.ts";
import { en, type Texts } from "./en.ts";
import { zh } from "./zh.ts";

const texts: Record<Locale, Texts> = { en, zh };

export function textsFor(locale: Locale): Texts {
  return texts[locale];
}
