import { TextCallReader } from "../../../src/tools/text-calls/text-call-reader.ts";
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
  const reader = new TextCallReader(toolbox);
  let text = "";
  const take = (events: ReturnType<TextCallReader["push"]>): void => {
    for (const event of events) {
      if (event.type === "text") text += event.text;
      if (event.type === "text-was-reasoning") text = "";
    }
  };
  const step = Math.min(size, answer.length) || 1;
  for (let at = 0; at < answer.length; at += step) take(reader.push(answer.slice(at, at + step)));
  take(reader.end({ isStopped }));
  return {
    text,
    calls: reader.calls.map(({ name, arguments: json }) => ({
      tool: toolbox.find(name)?.name ?? name,
      args: JSON.parse(json) as unknown,
    })),
    faults: reader.faults.map(({ en }) => en),
  };
}
