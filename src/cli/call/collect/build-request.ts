import { type ActiveEditor, ActiveEditorOptions } from "../../../turn/context/active-editor.ts";
import type { ContextVariable } from "../../../turn/context/context.ts";
import type { ProjectRules } from "../../../turn/context/variables.ts";
import { type AgentDefinition, collectedBy, findCommand } from "../../../turn/agent-definition.ts";
import type { Choice } from "../show/print-actions.ts";
import { type Place, readEditor } from "./read-editor.ts";
import {
  listProjectFiles,
  readFileInside,
  readGit,
  readPackageFiles,
  toSlashes,
} from "./project-files.ts";
import {
  type PackageFiles,
  type UserInfo,
  type Vcs,
  withoutCredentials,
} from "../../../turn/context/variables.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { findTestFramework } from "../../../flows/test/test-framework.ts";
import { familyOf, isTestPath, rankTestPath } from "../../../flows/test/test-subject.ts";
import { findWorkTree } from "../../../workspace/directory/folder-rules.node.ts";
import { userInfo } from "node:os";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";

type GitFacts = Awaited<ReturnType<typeof readGit>>;

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
  text?: string | undefined;
  language?: string | undefined;
  model?: string | undefined;
  /** The agent's definition, as far as it is known here; it says how much of a file is collected. */
  definition?: AgentDefinition | undefined;
  rules?: ProjectRules | undefined;
  /** Whether the definition travels along, as one that the server does not publish. */
  sendsDefinition?: boolean;
}

/** Builds the request that an IDE would send from this folder, with every variable that exists. @throws CliError */
export async function buildRequest(sources: RequestSources): Promise<CallRequest> {
  const { directory, agent, command, language, model, definition, prompt } = sources;
  const editor = collectEditor(sources);
  const [git, packageFiles] = await Promise.all([readGit(directory), readPackageFiles(directory)]);
  const values: Record<string, unknown> = {
    userInputPrompt: prompt,
    userInfo: describeUser(git),
    vcs: describeVcs(git),
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

/** The file in the editor, if there is one. @throws CliError when it is no text, or the lines are not in it */
export function collectEditor(sources: RequestSources): ActiveEditor | undefined {
  const { directory, agent, command, file, lines, cursor, text, definition } = sources;
  const options = ActiveEditorOptions.safeParse(
    collectedBy(findCommand(definition ?? { name: agent }, command)).get("activeEditor"),
  );
  return file === undefined
    ? undefined
    : readEditor(directory, file, lines, options.data, cursor, text);
}

type NextRequest = Pick<Choice, "command" | "prompt" | "editor">;

/** The request that an action leads to: another command and question, the same context except for the file. */
export function followUp(request: CallRequest, next: NextRequest): CallRequest {
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

/** Who sits at the terminal: the account of the operating system, and the name that git signs with. */
function describeUser({ last }: GitFacts): UserInfo {
  const id = readAccount();
  const name = last("user.name") || id;
  return { id, name, nickname: name };
}

function readAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // In containers the user id often has no entry among the accounts.
    return process.env["USER"] || process.env["USERNAME"] || "unknown";
  }
}

/** What git knows of a folder, without the passwords of remotes; undefined outside of a repository. */
function describeVcs({ isRepository, branch, settings, last }: GitFacts): Vcs | undefined {
  if (!isRepository) return undefined;
  const [remote, merged] = [last(`branch.${branch}.remote`), last(`branch.${branch}.merge`)];
  const followed = merged?.replace(/^refs\/heads\//, "");
  const upstream = remote === "." ? followed : followed && remote && `${remote}/${followed}`;
  const origin = last("remote.origin.url");
  const remotes = settings.filter(([name]) => /^remote\..+\.url$/s.test(name));
  return {
    type: "git",
    ...(branch ? { branchName: branch } : {}),
    ...(upstream ? { upstreamBranchName: upstream } : {}),
    ...(origin ? { remoteUrl: withoutCredentials(origin) } : {}),
    remotes: remotes.map(([, url]) => withoutCredentials(url)),
  };
}

const commands = ["unittest", "unittest-write"];
/** In bytes; a longer test file is not sent. */
const maxTests = 40_000;

/** The tests of a file that are there already, as the project's conventions name and place them; undefined if none are. */
async function readTests(
  directory: string,
  command: string,
  file: string | undefined,
  packageFiles: PackageFiles,
): Promise<{ filePath: string; content: string } | undefined> {
  if (file === undefined || !commands.includes(command)) return undefined;
  const folder = realpathSync(directory);
  const root = (await findWorkTree(folder)) ?? folder;
  const code = toSlashes(root, realpathSync(resolve(directory, file)));
  if (code.startsWith("../")) return undefined;
  const usual = findTestFramework(languageOf(file), packageFiles)?.testPath(code, packageFiles);
  const isAlike = (path: string): boolean =>
    familyOf(languageOf(path)) === familyOf(languageOf(code));
  const found = (await listProjectFiles(root))
    .filter((path) => path !== code && isTestPath(path) && isAlike(path))
    .map((path) => ({ path, rank: rankTestPath(path, code, usual ?? "") }))
    .filter(({ rank }) => rank > 0)
    .sort((left, right) => right.rank - left.rank);
  for (const { path } of found) {
    const tests = await readFileInside(root, path, maxTests);
    if (!tests.ok || tests.value.isSecret) continue;
    return { filePath: toSlashes(folder, tests.value.path), content: tests.value.content };
  }
  return undefined;
}
