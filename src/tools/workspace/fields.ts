// Fields that several tools share, of what they take and of what comes of them.
import * as z from "zod";
import type { Message } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";

/** In characters. */
const maxPath = 4_096;
export const maxReason = 4_000;

export const path = z.string().min(1).max(maxPath);

export const targetFile = {
  schema: path,
  isPath: true,
  en: "Path of the file, relative to the working directory or absolute inside it.",
  zh: "文件路径，相对于工作目录，或工作目录之内的绝对路径。",
  otherNames: "filePath file_path filepath targetFile path file filename",
};

/** Not required: a call that is clear without a reason is worth more than a second one with it. */
export const explanation = {
  schema: z.string().max(maxReason).optional(),
  en: "One sentence that says why you make this call.",
  zh: "用一句话说明这次调用的目的。",
  otherNames: "reason",
};

/** What is said beside a result, as one text; no field where nothing is. */
export function sayNotes(
  locale: Locale,
  ...notes: readonly (Message | boolean | undefined)[]
): { note?: string } {
  const texts = notes.flatMap((note) => (typeof note === "object" ? [note[locale]] : []));
  return texts.length === 0 ? {} : { note: texts.join(locale === "zh" ? "" : " ") };
}
