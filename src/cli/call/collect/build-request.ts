import { type ActiveEditor, ActiveEditorOptions } from "../../../turn/context/active-editor.ts";
import type { ContextVariable } from "../../../turn/context/context.ts";
import type { ProjectRules } from "../../../turn/context/project-rules.ts";
import { type AgentDefinition, collectedBy, findCommand } from "../../../turn/agent-definition.ts";
import type { Place } from "./parse-place.ts";
import { readEditor } from "./read-editor.ts";
import { readPackageFiles } from "./read-package-files.ts";
import { readTests } from "./read-tests.ts";
import { readUser } from "./read-user.ts";
import { readVcs } from "./read-vcs.ts";

/** The body that is posted: what an IDE sends, and our `language` and `model`. */
export interface CallRequest {
  agent: string;
  command: string;
  agentDefinition?: AgentDefinition;
  contextVariables: ContextVariable[];
  language?: string;
  model?: string;
}

export interface RequestSources {
  directory: string;
  agent: string;
  command: string;
  prompt?: string | undefined;
  file?: string | undefined;
  /** `10-20`; only together with a file. */
  lines?: string | undefined;
  /** Only together with a file, and without lines. */
  cursor?: Place["cursor"];
  language?: string | undefined;
  model?: string | undefined;
  /** The agent's definition, as far as it is known here; it says how much of a file is collected. */
  definition?: AgentDefinition | undefined;
  /** The rules of the project, where they are to be sent. */
  rules?: ProjectRules | undefined;
  /** Whether the definition travels along, as one that the server does not publish. */
  sendsDefinition?: boolean;
}

/**
 * Builds the request that an IDE would send from this folder, with every variable that exists;
 * the receipt tells which of them the command uses.
 *
 * @throws CliError when the file cannot be read as text or the lines are not in it
 */
export async function buildRequest(sources: RequestSources): Promise<CallRequest> {
  const { directory, agent, command, language, model, definition, prompt } = sources;
  const editor = collectEditor(sources);
  const [user, vcs, packageFiles] = await Promise.all([
    readUser(directory),
    readVcs(directory),
    readPackageFiles(directory),
  ]);
  const values: Record<string, unknown> = {
    userInputPrompt: prompt,
    userInfo: user,
    vcs,
    activeEditor: editor,
    packageFiles: packageFiles.length === 0 ? undefined : packageFiles,
    projectRules: sources.rules,
    // No variable of the document: the agent takes every one with a path and a text for a file of the project.
    existingTests: await readTests(directory, command, sources.file, packageFiles),
  };
  return {
    agent,
    command,
    ...(sources.sendsDefinition && definition !== undefined ? { agentDefinition: definition } : {}),
    contextVariables: Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, value })),
    ...(language === undefined ? {} : { language }),
    ...(model === undefined ? {} : { model }),
  };
}

/**
 * The file in the editor, if there is one.
 *
 * @throws CliError when it cannot be read as text or the lines are not in it
 */
export function collectEditor(sources: RequestSources): ActiveEditor | undefined {
  const { directory, agent, command, file, lines, cursor, definition } = sources;
  const options = ActiveEditorOptions.safeParse(
    collectedBy(findCommand(definition ?? { name: agent }, command)).get("activeEditor"),
  );
  return file === undefined ? undefined : readEditor(directory, file, lines, options.data, cursor);
}

/** The request that an action leads to: another command and question, the same context except for the file. */
export function followUp(
  request: CallRequest,
  next: { command: string; prompt: string; editor?: ActiveEditor },
): CallRequest {
  const others = request.contextVariables
    .filter(({ name }) => name !== "userInputPrompt")
    .map((variable) =>
      variable.name === "activeEditor" && next.editor !== undefined
        ? { ...variable, value: next.editor }
        : variable,
    );
  const question = next.prompt === "" ? [] : [{ name: "userInputPrompt", value: next.prompt }];
  return { ...request, command: next.command, contextVariables: [...question, ...others] };
}
