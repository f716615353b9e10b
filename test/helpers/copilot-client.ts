// A client of the copilot door as IDEs have it: sends commands, reads text and actions.
import { createParser } from "eventsource-parser";
import type { App } from "../../src/app.ts";
import { type Action, Action as ActionSchema } from "../../src/turn/action.ts";
import { ProposedEdit } from "../../src/turn/proposed-edit.ts";
import { post } from "./copilot-request.ts";

export interface Reply {
  status: number;
  text: string;
  actions: Action[];
  edits: ProposedEdit[];
  finish: string | undefined;
  usage: unknown;
}

/** The editor as an IDE sends it; with the lines that are selected, if any. */
export function editor(content: string, lines?: [number, number]) {
  const range = lines && {
    content: content
      .split("\n")
      .slice(lines[0] - 1, lines[1])
      .join("\n"),
    startLine: lines[0],
    startColumn: 1,
    endLine: lines[1],
    endColumn: 2,
  };
  return {
    name: "activeEditor",
    value: {
      filePath: "src/cart.js",
      language: "javascript",
      content,
      selectedRanges: range ? [range] : [],
    },
  };
}

export const user = { name: "userInfo", value: { id: "u-17", name: "ada", nickname: "Ada" } };

/** Posts a request to our agent and reads the whole stream. */
export async function send(
  app: App,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await post(app, { agent: "rightseat", ...body }, { headers });
  const reply: Reply = {
    status: response.status,
    text: "",
    actions: [],
    edits: [],
    finish: undefined,
    usage: undefined,
  };
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "copilot_action") {
        reply.actions.push(ActionSchema.parse(JSON.parse(data)));
        return;
      }
      if (data === "[DONE]") return;
      const { choices, usage, rightseat } = JSON.parse(data) as Chunk;
      if (rightseat !== undefined) reply.edits.push(ProposedEdit.parse(rightseat.edit));
      const [choice] = choices;
      reply.usage = usage ?? reply.usage;
      reply.text += choice?.delta.content ?? "";
      reply.finish = choice?.finish_reason ?? reply.finish;
    },
  });
  parser.feed(await response.text());
  return reply;
}

interface Chunk {
  usage?: unknown;
  rightseat?: { edit: unknown };
  choices: { delta: { content?: string }; finish_reason: string | null }[];
}

/** Runs a command as the user with these context variables. */
export function ask(app: App, command: string, variables: readonly unknown[]) {
  return send(app, { command, contextVariables: [user, ...variables] });
}

export function prompted(prompt: string) {
  return { name: "userInputPrompt", value: prompt };
}

/** The first button for the command. */
export function button(reply: Reply, command: string) {
  const found = reply.actions.find(
    (action) => action.action === "confirm" && action.data.command === command,
  );
  if (found?.action !== "confirm") throw new Error(`There is no button for ${command}.`);
  return found;
}
