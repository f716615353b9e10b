import { ReasoningSplitter, type SplitPiece } from "../../../src/base/text/reasoning.ts";
import { CallReader } from "../../../src/tools/text-calls/call-reader.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";

const toolbox = createWorkspaceTools();

export interface ReadAnswer {
  text: string;
  calls: { tool: string; args: unknown }[];
  faults: string[];
}

/** What is read out of an answer that comes in pieces of this length. */
export function readAnswer(
  answer: string,
  { size = Infinity, isStopped = true }: { size?: number; isStopped?: boolean } = {},
): ReadAnswer {
  let reader = new CallReader(toolbox);
  let text = "";
  const splitter = new ReasoningSplitter();
  const take = (pieces: readonly SplitPiece[]): void => {
    for (const piece of pieces) {
      if (piece.type === "text") text += reader.push(piece.text);
      if (piece.type !== "text-was-reasoning") continue;
      reader = new CallReader(toolbox);
      text = "";
    }
  };
  const step = Math.min(size, answer.length) || 1;
  for (let at = 0; at < answer.length; at += step) take(splitter.push(answer.slice(at, at + step)));
  take(splitter.end());
  text += reader.end({ isStopped });
  return {
    text,
    calls: reader.calls.map(({ name, arguments: json }) => ({
      tool: toolbox.find(name)?.name ?? name,
      args: JSON.parse(json) as unknown,
    })),
    faults: reader.faults.map(({ en }) => en),
  };
}
