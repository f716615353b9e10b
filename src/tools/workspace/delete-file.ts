import * as z from "zod";
import type { Tool } from "../tool.ts";
import { changeFile } from "./change-file.ts";
import { explanation, targetFile, targetNames } from "./fields.ts";

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
  run: ({ target_file: named, explanation: why }, use) =>
    changeFile({ named, why, mustExist: true }, use, () => ({ after: undefined })),
};
