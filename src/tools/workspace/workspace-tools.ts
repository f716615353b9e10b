import * as z from "zod";
import type { Workspace } from "../../workspace/workspace.ts";
import { type AnyTool, Toolbox, defineTool } from "../tool.ts";
import { askPerson } from "../ask-person.ts";
import { changeFile } from "./change-file.ts";
import { explanation, targetFile } from "./fields.ts";
import { fileSearch } from "./file-search.ts";
import { editFile } from "./edit-file.ts";
import { createGrepSearch } from "./grep-search.ts";
import { insertFile, removeFile, replaceFile } from "./line-tools.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";

/**
 * The tools of the coding agent, described as the workspace is.
 *
 * @param further tools of a library user; one with the name of ours takes its place
 */
export function createWorkspaceTools(
  { searchesPlainText }: Pick<Workspace, "searchesPlainText"> = {},
  further: readonly AnyTool[] = [],
): Toolbox {
  const grepSearch = createGrepSearch(searchesPlainText);
  const lineTools = [insertFile, replaceFile, removeFile];
  const ours: AnyTool[] = [
    readFile,
    editFile,
    deleteFile,
    grepSearch,
    fileSearch,
    listDir,
    finishTool,
  ];
  const all = [...ours, ...lineTools].map((tool) => ({
    ...tool,
    needsFiles: tool.name !== finishTool.name,
  }));
  return new Toolbox([...all, askPerson, ...further]);
}

/** In characters. */
const maxResponse = 200_000;

const deleteFile = defineTool({
  name: "delete_file",
  otherNames: ["deleteTool", "deleteFile", "delete", "removeTool"],
  description: {
    en: "Deletes one file. The person may be asked first.",
    zh: "删除一个文件。可能会先征求用户同意。",
  },
  fields: { target_file: targetFile, explanation },
  effect: "write",
  run: ({ target_file: named, explanation: why }, use) =>
    changeFile({ named, why, mustExist: true }, use, () => ({ after: undefined })),
});

/** The loop ends when it sees that this tool has succeeded. */
const finishTool = defineTool({
  name: "finish",
  otherNames: ["finishTool", "done", "complete", "attempt_completion", "final_answer"],
  description: {
    en: "Ends the work. Call it once, when all is done or nothing more can be done. It counts only if no other call of the same message failed.",
    zh: "结束工作。在全部完成或无法继续时调用一次。只有同一条消息中没有其他调用失败时才有效。",
  },
  fields: {
    response: {
      schema: z.string().max(maxResponse).optional(),
      en: "The final answer to the person: what you did and found, and what is left. Say only what results have shown. Leave it out if the text of your message is that answer.",
      zh: "给用户的最终回答：做了什么、发现了什么、还剩什么。只说明结果中已确认的内容。如果消息的正文就是这个回答，则省略。",
      otherNames:
        "result answer final_answer final_response output message summary text content chat",
    },
  },
  effect: "read",
  run: ({ response }) =>
    Promise.resolve({ success: true, ...(response === undefined ? {} : { response }) }),
});
