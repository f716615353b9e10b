import type { TurnEvent } from "../../turn/turn-event.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import { callTexts } from "../call/texts.ts";
import { CliError } from "../cli-error.ts";
import type { CodeRun } from "./code-run.ts";
import type { Progress } from "./progress.ts";
import { readFolderContext } from "./read-folder-context.ts";
import type { RunRecord } from "./run-record.ts";
import type { StartedTurn, TerminalDoor } from "./terminal-door.ts";

export interface FollowParts {
  door: TerminalDoor;
  workspace: Workspace;
  record: RunRecord;
  progress: Progress;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Runs the turn and shows it as it goes. @throws CliError where the model cannot work with tools; AppError */
export async function followTurn(run: CodeRun, parts: FollowParts): Promise<void> {
  const { door, workspace, record, progress, terminal, signal } = parts;
  const { variables, rules } = await readFolderContext(workspace, signal);
  const request = {
    agent: run.agents[0].name,
    command: "code",
    variables: [{ name: "userInputPrompt", value: run.request }, ...variables],
    model: run.model,
    language: run.texts.locale,
    key: run.key,
  };
  const started = await door.start(request, signal);
  try {
    sayNotes(run, rules, terminal);
    checkModel(run, started, terminal);
    progress.awaitModel();
    for await (const event of started.events) {
      const text = textOf(event);
      record.take(event, text);
      progress.take(event, text);
    }
  } finally {
    await started.events.return();
    progress.rest();
  }
}

/** What an edit event says, the terminal has shown in its own way. */
function textOf(event: TurnEvent): string {
  return event.type === "text-delta" ? (event.brief ?? event.text) : "";
}

/** @throws CliError where the model cannot work with tools */
function checkModel(
  { texts, config, model: wanted }: CodeRun,
  { turn }: StartedTurn,
  terminal: Terminal,
): void {
  const { model, modelId } = turn;
  if (wanted !== undefined && wanted !== model.name && wanted !== modelId) {
    const note = texts.otherModel(escapeLine(model.name), escapeLine(wanted));
    terminal.err(`${terminal.errStyle("yellow", note)}\n`);
  }
  if (model.toolCalls === "none") {
    const others = config.models
      .map(({ name }) => escapeLine(name))
      .filter((name) => name !== model.name)
      .join(", ");
    throw new CliError(texts.noTools(escapeLine(model.name), others));
  }
}

function sayNotes(
  { hasIgnoredSettings, texts }: CodeRun,
  rules: string | undefined,
  terminal: Terminal,
): void {
  const notes = [
    ...(hasIgnoredSettings ? [texts.settingsIgnored] : []),
    ...(rules === undefined ? [] : [callTexts(texts.locale).withRules(rules)]),
  ];
  for (const note of notes) terminal.err(`${terminal.errStyle("dim", note)}\n`);
}
