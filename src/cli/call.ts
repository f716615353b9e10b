import type { CliTexts } from "./texts.ts";
import { createCommandTable } from "../flows/commands.ts";
import { collectedBy, findCommand } from "../turn/agent-definition.ts";
import { loadAgents, parseDefinition } from "../setup/load-agents.node.ts";
import {
  type CallRequest,
  type RequestSources,
  buildRequest,
} from "./call/collect/build-request.ts";
import {
  canAsk,
  settlePlace,
  needsQuestion,
  openCall,
  openTerminal,
  readQuestion,
  runStoppable,
  sayStopped,
} from "./call/run-parts.ts";
import { type SendOptions, localEndpoint, remoteEndpoint } from "./call/send-request.ts";
import { readRules } from "./call/collect/project-files.ts";
import { createTerminal, note } from "./call/terminal.ts";
import { readJsonFile, readSettingsFile } from "./read/read-settings-file.ts";
import { CliError } from "./cli-error.ts";
import type { Options } from "./options.ts";
import { createLocalApp } from "./create-local-app.ts";
import { createChooser, holdConversation } from "./call/choose/next-steps.ts";

/** `rightseat call`: sends what an IDE would send from here, and shows the answer. */
export async function runCallCommand(command: string, written: string | undefined, given: Options) {
  const { url, key, language, model } = given;
  if (/^wss?:/i.test(url ?? ""))
    return (await import("./ws/run-ws.ts")).runWs(command, written, given);
  const { config, texts } = await openCall(language, readSettingsFile());
  const place = settlePlace({ ...given, place: written }, texts);
  const isAsked = needsQuestion(command);
  const prompt = await readQuestion(given, isAsked, `call ${command}`, texts);
  // Nothing was asked, and nothing has begun that could be left in the middle.
  if (prompt === undefined && isAsked) return sayStopped(texts);
  const agents = loadAgents(config.agents);
  const named = given.definition;
  const sent = named === undefined ? undefined : parseDefinition(readJsonFile(named), named);
  const agent = given.agent ?? sent?.name ?? agents[0]?.name;
  if (agent === undefined) throw new CliError(texts.noAgent);
  const sources = {
    directory: process.cwd(),
    agent,
    command,
    ...place,
    language,
    model,
    prompt,
    definition: sent ?? agents.find(({ name }) => name === agent),
    sendsDefinition: sent !== undefined,
  };
  const remote = url === undefined ? undefined : remoteEndpoint(url, key, texts.locale);
  if (hasNothing(sources, remote !== undefined)) throw new CliError(texts.needsCode(command));
  const rules = await collectRules(given, texts);
  const request = await buildRequest({ ...sources, rules });
  const endpoint =
    remote ?? localEndpoint(await createLocalApp(config, agents, process.env, sent), key);
  return runStoppable(texts, endpoint, (signal) =>
    converse(given, sources, request, { endpoint, texts, signal }),
  );
}

/** Whether a command is about code, and neither a file nor a question came. Of an unknown agent the server says it. */
function hasNothing(sources: RequestSources, isRemote: boolean): boolean {
  const { command, definition, agent, file, prompt } = sources;
  if (file !== undefined || prompt !== undefined) return false;
  const table = createCommandTable();
  if (definition === undefined) return isRemote && table.isAboutCode({ name: agent }, command);
  const collected = collectedBy(findCommand(definition, command));
  const wantsEditor = collected.size === 0 || collected.has("activeEditor");
  return wantsEditor && table.isAboutCode(definition, command);
}

/** The rules of the project, and a word on them: a server gets them only where the person says so. */
async function collectRules({ rules, url }: Options, texts: CliTexts) {
  if (!(rules ?? url === undefined)) return undefined;
  const found = await readRules(process.cwd());
  if (found === undefined) return undefined;
  const { name } = found;
  const told = found.rules === undefined ? texts.noRules(name) : texts.withRules(name);
  note(told, createTerminal(process.stdout, process.stderr));
  return found.rules;
}

async function converse(
  { receipt = false, raw = false, plain }: Options,
  sources: RequestSources,
  request: CallRequest,
  parts: Pick<SendOptions, "endpoint" | "texts" | "signal">,
): Promise<boolean> {
  const terminal = await openTerminal({ plain, raw });
  const shared = { ...parts, terminal, receipt, raw };
  const streams = { input: process.stdin, output: process.stdout };
  const choose = canAsk(raw) ? createChooser({ ...shared, sources, streams }) : undefined;
  return holdConversation(request, { ...shared, choose });
}
