// Fields that several tools share, and what models call them.
import * as z from "zod";
import type { Message } from "../../base/errors/app-error.ts";
import { renames } from "../tool.ts";

interface Field<Schema> {
  schema: Schema;
  message: Message;
}

/** In characters. */
const maxPath = 4_096;
export const maxReason = 4_000;

export const path = z.string().min(1).max(maxPath);

export const targetFile: Field<typeof path> = {
  schema: path,
  message: {
    en: "Path of the file, relative to the working directory or absolute inside it.",
    zh: "文件路径，相对于工作目录，或工作目录之内的绝对路径。",
  },
};

const reason = z.string().max(maxReason).optional();

/** Not required: a call that is clear without a reason is worth more than a second one with it. */
export const explanation: Field<typeof reason> = {
  schema: reason,
  message: {
    en: "One sentence that says why you make this call.",
    zh: "用一句话说明这次调用的目的。",
  },
};

export const targetNames: Readonly<Record<string, string>> = renames({
  target_file: "filePath file_path filepath targetFile path file filename",
  explanation: "reason",
});
