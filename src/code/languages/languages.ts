import type { LanguageRules } from "../tree/language-rules.ts";
import { c, cpp } from "./c.ts";
import { csharp } from "./csharp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { javascript, tsx, typescript } from "./script.ts";

/** Every language that a grammar reads. A new one is a file beside this one and a word here. */
export const languages: readonly LanguageRules[] = [
  javascript,
  typescript,
  tsx,
  python,
  go,
  java,
  rust,
  c,
  cpp,
  csharp,
  ruby,
  php,
];
