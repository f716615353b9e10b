import { realpath } from "node:fs/promises";
import { resolve as toAbsolute } from "node:path";
import { createPathResolver } from "../directory/resolve-path.node.ts";
import { openRootState } from "../directory/root-state.node.ts";
import type { WorkspaceResult } from "../workspace.ts";
import type { JournalTurn } from "./journal.node.ts";
import { planUndo, undoTurn, type UndoParts, type UndoPlan } from "./undo.node.ts";

/** What can be undone in a folder. */
export interface Undo {
  /** The oldest first. */
  listTurns(): Promise<JournalTurn[]>;
  /** What `undo` would do. */
  plan(turn?: number): Promise<WorkspaceResult<UndoPlan>>;
  undo(turn?: number): Promise<WorkspaceResult<UndoPlan>>;
  close(): Promise<void>;
}

export interface OpenUndoParts {
  root: string;
  stateFolder: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** @throws the error of the file system if the root cannot be found */
export async function openUndo({ root, stateFolder, now }: OpenUndoParts): Promise<Undo> {
  const shownRoot = toAbsolute(root);
  const realRoot = await realpath(shownRoot);
  const resolve = createPathResolver(shownRoot, realRoot);
  const state = await openRootState({ realRoot, stateFolder, now, resolve });
  const parts: UndoParts = { state, resolve };
  return {
    listTurns: () => state.journal.listTurns(),
    plan: (turn) => planUndo(parts, turn),
    undo: (turn) => undoTurn(parts, turn),
    close: () => state.release(),
  };
}
