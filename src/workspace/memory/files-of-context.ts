import { sourceOf as sourceOfEditor, type ActiveEditor } from "../../turn/context/active-editor.ts";
import type { Context } from "../../turn/context/context.ts";
import { type KnowledgeReference, referencesOf } from "../../turn/context/knowledge-base.ts";

/** Passages of knowledge that become files; the rest of a request is not at hand. */
const maxPassages = 500;
/** Package files that are taken. */
const maxPackageFiles = 500;

/** What an editor without a path holds: a file that nobody has saved yet. */
export const unsaved = "untitled";

/** A file that a request brought along. */
export interface MemoryFile {
  /** The path as the client names it, absolute or not, with either slash. */
  name: string;
  text: string;
  /** The line of the file on which the text starts, 1-based. */
  startLine: number;
  /** The rest of the file is not known: it can be read, and not changed. */
  isPart: boolean;
}

/** The files of a turn: the editor's, then package files, then passages of knowledge. */
export function filesOfContext(context: Context): MemoryFile[] {
  const { activeEditor, packageFiles = [], knowledgeBase = [] } = context;
  return [
    ...(activeEditor === undefined ? [] : fileOfEditor(activeEditor)),
    ...packageFiles.slice(0, maxPackageFiles).map(({ filepath, content }) => ({
      name: filepath,
      text: content,
      startLine: 1,
      isPart: false,
    })),
    ...referencesOf(knowledgeBase).slice(0, maxPassages).flatMap(fileOfPassage),
  ];
}

function fileOfEditor(editor: ActiveEditor): MemoryFile[] {
  const { filePath, content } = editor;
  const { text, startLine } = sourceOfEditor(editor);
  const isWhole = typeof content === "string" && text === content;
  if (!filePath && text === "") return [];
  return [{ name: filePath || unsaved, text, startLine, isPart: !isWhole }];
}

function fileOfPassage({ chunk, metadata }: KnowledgeReference): MemoryFile[] {
  const name = metadata?.fileName || metadata?.source;
  if (!name) return [];
  return [{ name, text: chunk, startLine: Math.max(metadata?.startPos ?? 1, 1), isPart: true }];
}
