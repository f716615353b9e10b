import type { Locale } from "../errors/locale.ts";
import type { Texts } from "./flow-texts.ts";
import { en } from "./texts-en.ts";
import { zh } from "./texts-zh.ts";

const texts: Record<Locale, Texts> = { en, zh };

export function textsFor(locale: Locale): Texts {
  return texts[locale];
}
