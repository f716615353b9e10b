import * as z from "zod";
import type { Tool, ToolOutcome, ToolUse } from "../tool.ts";
import { changeFile, stale } from "./change-file.ts";
import { explanation, targetFile, targetNames } from "./fields.ts";
import { openFile } from "./open-file.ts";
import { fail, failWith } from "./outcome.ts";
import { describeProblem } from "./read-file.ts";

const Input = z.object({ target_file: targetFile.schema, explanation: explanation.schema });
type Input = z.infer<typeof Input>;

export const deleteFile: Tool<Input> = {
  name: "delete_file",
  otherNames: ["deleteTool", "deleteFile", "delete", "removeTool"],
  description: {
    en: "Deletes one file. The person may be asked first.",
    zh: "删除一个文件。可能会先征求用户同意。",
  },
  input: Input,
  paths: ["target_file"],
  fields: { target_file: targetFile.message, explanation: explanation.message },
  otherFields: targetNames,
  effect: "write",
  run,
};

async function run(
  { target_file: named, explanation: why = "" }: Input,
  use: ToolUse,
): Promise<ToolOutcome> {
  const { locale, seen, workspace } = use;
  const located = await workspace.locate(named);
  if (!located.ok) return failWith(locale, located.problem);
  const path = located.value;
  const read = await openFile(path, why, use);
  if (!read.ok) return describeProblem(path, read.problem, use);
  const { text, hash } = read.value;
  if (seen.isStale(path, hash)) return fail(locale, "stale", stale(path));
  return changeFile({ path, before: { text, hash }, after: undefined }, why, use);
}
