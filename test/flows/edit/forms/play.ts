// An answer played through a command of the real app, with grammars: what becomes of the file.
import { createParser } from "eventsource-parser";
import { languageOf } from "../../../../src/turn/context/language.ts";
import { applyTextChanges } from "../../../../src/edit.ts";
import { type ScriptedModel, scriptedModel } from "../../../../src/testing.ts";
import type { CodeParser } from "../../../../src/code/code-analysis.ts";
import { Action } from "../../../../src/turn/action.ts";
import type { AgentDefinition } from "../../../../src/turn/agent-definition.ts";
import { ProposedEdit } from "../../../../src/turn/proposed-edit.ts";
import { user } from "../../../helpers/copilot-client.ts";
import { post } from "../../../helpers/copilot-request.ts";
import { createTestApp } from "../../../helpers/create-test-app.ts";
import { code } from "../../../helpers/code-parser.ts";

export interface Played {
  /** The file as the change leaves it; undefined if nothing was applied. */
  after: string | undefined;
  text: string;
  actions: Action[];
  calls: number;
  model: ScriptedModel;
  edits: ProposedEdit[];
}

export interface PlayOptions {
  command?: string;
  lines?: readonly [number, number];
  prompt?: string;
  agents?: readonly AgentDefinition[];
  /** Files that the request brings, by their paths. */
  packages?: Readonly<Record<string, string>>;
  /** In place of the parser of all tests, which has no threads. */
  parser?: CodeParser;
}

/** @param answers the n-th question gets the n-th, and the last one is repeated */
export async function play(
  path: string,
  content: string,
  answers: string | readonly string[],
  { command = "fix", lines, prompt, agents, packages = {}, parser: own = code }: PlayOptions = {},
): Promise<Played> {
  const scripts = (typeof answers === "string" ? [answers] : answers).map(
    (one) => one.match(/[^]{1,7}/g) ?? [],
  );
  const model = scriptedModel(scripts);
  const { app } = createTestApp({
    models: model,
    code: own,
    ...(agents === undefined ? {} : { agents }),
  });
  const [startLine, endLine] = lines ?? [];
  const range = lines && {
    content: content
      .split("\n")
      .slice(lines[0] - 1, lines[1])
      .join("\n"),
    startLine,
    startColumn: 1,
    endLine,
    endColumn: 2,
  };
  const value = {
    filePath: path,
    language: languageOf(path),
    content,
    selectedRanges: range ? [range] : [],
  };
  const contextVariables = [
    user,
    { name: "activeEditor", value },
    {
      name: "packageFiles",
      value: Object.entries(packages).map(([filepath, text]) => ({ filepath, content: text })),
    },
    ...(prompt === undefined ? [] : [{ name: "userInputPrompt", value: prompt }]),
  ];
  const agent = agents?.[0]?.name ?? "rightseat";
  const response = await post(app, { agent, command, contextVariables });
  const played: Played = { after: undefined, text: "", actions: [], calls: 0, model, edits: [] };
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "copilot_action") played.actions.push(Action.parse(JSON.parse(data)));
      else if (data !== "[DONE]") {
        const { choices, rightseat } = JSON.parse(data) as Chunk;
        played.text += choices[0]?.delta.content ?? "";
        if (rightseat?.edit !== undefined) played.edits.push(ProposedEdit.parse(rightseat.edit));
      }
    },
  });
  parser.feed(await response.text());
  played.calls = model.requests.length;
  for (const { result } of played.edits) {
    if (result.status === "applied") played.after = applyTextChanges(content, result.changes);
  }
  return played;
}

interface Chunk {
  choices: { delta: { content?: string } }[];
  rightseat?: { edit?: unknown };
}

export const fenced = (text: string, info = ""): string => `\`\`\`${info}\n${text}\`\`\`\n`;
