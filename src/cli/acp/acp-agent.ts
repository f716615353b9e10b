// The agent for editors that speak the Agent Client Protocol: a session is a conversation of the terminal,
// kept in the same place.
import { isAbsolute } from "node:path";
import { Readable, Writable } from "node:stream";
import type {
  AgentApp,
  AgentContext,
  AgentRequestHandlersByMethod,
  AgentRequestMethod,
  ClientCapabilities,
  RequestError,
  SessionModeState,
} from "@agentclientprotocol/sdk";
import { onAbort, untilAborted } from "../../base/wire/patient-timer.ts";
import { productVersion } from "../../setup/check-node.node.ts";
import type { Config } from "../../setup/config.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { createTerminal } from "../call/terminal.ts";
import { Chat } from "../chat/chat.ts";
import type { StoredConversation, Conversations } from "../chat/conversations.ts";
import { beginConversation, findAgent, isProject, openConversations } from "../chat/run-chat.ts";
import { CliError } from "../cli-error.ts";
import { openTools, openProject } from "../code/run-code.ts";
import { findFolder } from "../code/open-folder.ts";
import { type TerminalApp, createTerminalApp } from "../code/run-agent.ts";
import { tellProblem } from "../fail-with.ts";
import { earlyTexts } from "../read/read-settings-file.ts";
import type { CliTexts } from "../texts.ts";
import type { Options } from "../options.ts";
import { speakDraft } from "./draft-version.ts";
import { EditorFront } from "./editor-front.ts";
import { readPromptBlocks } from "./read-prompt.ts";

/**
 * `rightseat acp`: the agent of an editor that has started this process, and talks with it over its standard input and
 * output, a line of JSON for each message. It ends with the editor.
 *
 * @throws CliError where the package of the protocol is not installed
 */
export async function runAcp(options: Options): Promise<number> {
  const texts = earlyTexts(options.language);
  const sdk = await import("@agentclientprotocol/sdk").catch((cause: unknown) => {
    if (Reflect.get(Object(cause), "code") !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new CliError(texts.acp.noPackage, { cause });
  });
  // Standard output has the protocol and nothing else, whatever a library prints.
  console.log = console.info = console.debug = console.error;
  const { conversations, close: closeConversations } = openConversations(texts);
  const { app, close } = createAcpAgent(sdk, { options, conversations, texts });
  // Without an encoding, streams hold bytes.
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(process.stdout);
  const connection = app.connect(speakDraft(sdk.ndJsonStream(output, input)));
  const leave = (): void => connection.close();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, leave);
  try {
    await connection.closed;
  } finally {
    await close();
    await closeConversations();
    process.stdin.destroy();
  }
  const { reason }: { reason?: unknown } = connection.signal;
  if (reason instanceof sdk.MessageTooLargeError)
    throw new CliError(texts.acp.tooLarge(reason.maxMessageBytes));
  if (reason instanceof TypeError) throw new CliError(reason.message);
  return 0;
}

interface AcpParts {
  options: Options;
  conversations: Conversations;
  /** Before a session says which language its person reads. */
  texts: CliTexts;
}

interface Session {
  chat: Chat;
  front: EditorFront;
  /** The folder as the editor names it, and its real path. */
  cwd: string;
  root: string;
  texts: CliTexts;
  modes: SessionModeState;
  stopped: AbortController | undefined;
  work: Promise<unknown>;
}

const page = 50;
const [failed, unknown] = [-32603, -32002];

/** @returns the agent, and what ends its work and gives back what it holds */
export function createAcpAgent(
  sdk: typeof import("@agentclientprotocol/sdk"),
  { options, conversations, texts }: AcpParts,
): { app: AgentApp; close: () => Promise<void> } {
  const sessions = new Map<string, Session>();
  const apps = new Map<string, Promise<TerminalApp>>();
  let files: ClientCapabilities["fs"];

  const openApp = (config: Config, agents: readonly AgentDefinition[]) => {
    const settings = JSON.stringify(config);
    const opening = apps.get(settings) ?? createTerminalApp(config, agents);
    apps.set(settings, opening);
    opening.catch(() => apps.delete(settings));
    return opening;
  };

  const openSession = async (cwd: string, client: AgentContext, stored?: StoredConversation) => {
    if (!isAbsolute(cwd)) throw new CliError(texts.acp.notAbsolute(escapeLine(cwd)));
    const project = await openProject(cwd, options);
    const { config, agents, root, texts: said } = project;
    if (stored !== undefined && stored.facts.folder !== root)
      throw new CliError(said.otherFolder(escapeLine(stored.facts.folder)));
    const agent = findAgent(agents, options.agent, stored?.facts.agent, said);
    const conversation = stored ?? (await beginConversation(conversations, root, agent.name, said));
    const { id } = conversation;
    const log = createTerminal(process.stderr, process.stderr, { plain: true });
    const mayWork = isProject(root, options.force ?? false, said, log);
    const availableModes = said.acp.modes.filter((one) => mayWork || one.id === "ask");
    const modes = { availableModes, currentModeId: availableModes[0]?.id ?? "" };
    const front = new EditorFront(
      { sessionId: id, cwd, root, texts: said, files: files ?? {} },
      { client, stopped: new AbortController(), shown: new Map() },
    );
    const app = await openApp(config, agents);
    const chat = new Chat({
      ...project,
      tools: await openTools(project, app),
      app,
      agent,
      get isProject() {
        return modes.currentModeId === "code";
      },
      key: options.key,
      isYes: false,
      allows: () => false,
      terminal: front.terminal,
      conversation,
      front,
    });
    if (options.model !== undefined) await chat.useModel(options.model);
    const known = { cwd, root, texts: said, modes };
    const session = { chat, front, ...known, stopped: undefined, work: Promise.resolve() };
    sessions.set(id, session);
    // The editor has to know the session before it hears of it.
    setImmediate(tellState, session);
    return session;
  };

  const closeSession = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.stopped?.abort();
    await session?.work;
    await conversations.close(id);
  };

  /** @param found undefined where there is none of this id */
  const expect = <Value>(found: Value | undefined, id: string): Value => {
    if (found !== undefined) return found;
    throw new sdk.RequestError(unknown, texts.noConversation(escapeLine(id)));
  };
  const find = (id: string): Session => expect(sessions.get(id), id);
  const load = async (id: string): Promise<StoredConversation> => {
    // What it still works on has its end among the messages.
    await closeSession(id);
    if (await conversations.isOpen(id)) throw new CliError(texts.openElsewhere(escapeLine(id)));
    return expect(await conversations.open(id), id);
  };

  /** What is wrong is told in the person's words; of a fault of the program standard error has the rest. */
  const toError = (thrown: unknown): RequestError => {
    if (thrown instanceof sdk.RequestError) return thrown;
    const told = tellProblem(thrown, texts.locale);
    if (told !== undefined) return new sdk.RequestError(failed, told);
    process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
    return new sdk.RequestError(failed, texts.acp.fault);
  };

  const { agent: methods } = sdk.methods;
  const app = sdk.agent({ name: "rightseat" });
  const onRequest = <Method extends AgentRequestMethod>(
    method: Method,
    work: AgentRequestHandlersByMethod[Method],
  ): void => {
    const answer = async (context: never): Promise<unknown> => {
      try {
        return await work(context);
      } catch (thrown) {
        throw toError(thrown);
      }
    };
    // It takes what the work takes, and answers what that answers.
    app.onRequest(method, answer as typeof work);
  };

  onRequest(methods.initialize, ({ params }) => {
    files = params.clientCapabilities?.fs;
    return {
      protocolVersion: 1,
      agentInfo: { name: "rightseat", title: "Rightseat", version: productVersion() },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      authMethods: [],
    };
  });
  onRequest(methods.authenticate, () => ({}));
  onRequest(methods.session.new, async ({ params, client }) => {
    if (params.mcpServers.length > 0) process.stderr.write(`${texts.acp.noServers}\n`);
    const { chat, modes } = await openSession(params.cwd, client);
    return { sessionId: chat.conversation.id, modes };
  });
  onRequest(methods.session.load, async ({ params, client }) => {
    const stored = await load(params.sessionId);
    const { front, modes } = await openSession(params.cwd, client, stored);
    for (const { role, text, isNote } of stored.entries) {
      if (isNote === true || text === "") continue;
      const voice = role === "user" ? "user_message_chunk" : "agent_message_chunk";
      front.say(voice, text);
      await front.end();
    }
    return { modes };
  });
  onRequest(methods.session.resume, async ({ params, client }) => {
    const stored = await load(params.sessionId);
    return { modes: (await openSession(params.cwd, client, stored)).modes };
  });
  onRequest(methods.session.list, async ({ params: { cwd, cursor } }) => {
    const root = typeof cwd === "string" ? findFolder(cwd, texts) : undefined;
    const listed = (await conversations.list()).filter(
      ({ folder }) => root === undefined || folder === root,
    );
    const start = Number(cursor ?? 0) || 0;
    const isMore = listed.length > start + page;
    return {
      sessions: listed.slice(start, start + page).map(({ id, folder, title, changed }) => ({
        sessionId: id,
        cwd: folder,
        title,
        updatedAt: new Date(changed).toISOString(),
      })),
      ...(isMore && { nextCursor: String(start + page) }),
    };
  });
  onRequest(methods.session.close, async ({ params }) => {
    await closeSession(params.sessionId);
    return {};
  });
  onRequest(methods.session.delete, async ({ params }) => {
    await conversations.remove((await load(params.sessionId)).id);
    return {};
  });
  onRequest(methods.session.setMode, ({ params }) => {
    const { modes } = find(params.sessionId);
    const mode = modes.availableModes.find(({ id }) => id === params.modeId);
    if (mode === undefined) throw sdk.RequestError.invalidParams(params);
    modes.currentModeId = mode.id;
    return {};
  });
  onRequest(methods.session.prompt, async ({ params, client, signal }) => {
    const session = find(params.sessionId);
    const { front, chat } = session;
    if (session.stopped !== undefined) throw new CliError(session.texts.acp.busy);
    const stopped = new AbortController();
    session.stopped = stopped;
    const stop = (): void => stopped.abort();
    const forget = onAbort(signal, stop);
    const answer = async (): Promise<void> => {
      const { message, place, shown, beside } = await readPromptBlocks(params.prompt, session);
      front.begin({ client, stopped, shown });
      if (place !== undefined) chat.look(place);
      if (message.trim() === "") throw new CliError(session.texts.acp.empty);
      await chat.hear({ message, beside, signal: stopped.signal, stop });
      // An editor that reads nothing any more holds nobody up who ends the connection.
      await untilAborted(front.end(), signal).catch(() => undefined);
    };
    const work = answer();
    session.work = work.catch(() => undefined);
    try {
      await work;
      if (stopped.signal.aborted) return { stopReason: "cancelled" as const };
      if (front.failure !== "") throw new sdk.RequestError(failed, front.failure);
      return { stopReason: front.stopReason };
    } finally {
      session.stopped = undefined;
      forget();
      tellState(session);
    }
  });
  app.onNotification(methods.session.cancel, ({ params }) => {
    sessions.get(params.sessionId)?.stopped?.abort();
  });

  const close = async (): Promise<void> => {
    await Promise.all([...sessions.keys()].map(closeSession));
    for (const opening of apps.values()) await opening.then((opened) => opened.close());
  };
  return { app, close };
}

function tellState({ chat, front }: Session): void {
  const availableCommands = chat.describeCommands().map((one) => ({
    ...one,
    ...(!/^\d/.test(one.name) && { input: { hint: "" } }),
  }));
  front.update({ sessionUpdate: "available_commands_update", availableCommands });
  const { title, changed } = chat.conversation.facts;
  const updatedAt = new Date(changed).toISOString();
  if (title !== "") front.update({ sessionUpdate: "session_info_update", title, updatedAt });
}
