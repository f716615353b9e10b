// `rightseat mcp`: the agent as tools of the Model Context Protocol, over standard input and output.
import { ownGitPlaces } from "./read/read-settings-file.ts";
import { once } from "node:events";
import * as z from "zod";
import type { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { AppError } from "../base/errors/app-error.ts";
import { createTimers, untilAborted, onAbort } from "../base/wire/patient-timer.ts";
import { loadLibrary } from "../doors/mcp/mcp-door.ts";
import {
  type CommandCall,
  type McpParts,
  createMcpServer,
  runTurnOfCall,
} from "../doors/mcp/mcp-server.ts";
import type { CallResult } from "../doors/mcp/tool-answer.ts";
import { productVersion } from "../setup/check-node.node.ts";
import { createApprovals } from "../workspace/approvals.ts";
import { CliError } from "./cli-error.ts";
import { escapeControls } from "./call/show/escape-controls.ts";
import { type Answer, type Person, createAsk, describeQuestion } from "./code/ask.ts";
import { createGuard } from "./code/guard.ts";
import { checkProject, createSearchedWorkspace, openFolder } from "./code/open-folder.ts";
import { createTerminalApp, readFolderContext } from "./code/run-agent.ts";
import type { Options } from "./options.ts";
import { openProject, parseAllow } from "./code/run-code.ts";
import { closing, stopOnInterrupt } from "./fail-with.ts";
import type { CliTexts } from "./texts.ts";

/** `rightseat mcp`: serves until the client closes standard input. */
export async function runMcp(given: Options): Promise<number> {
  const { dir = ".", force = false, key, language } = given;
  const { config, agents, texts, root } = await openProject(dir, given);
  checkProject(root, force, texts);
  const [library, { serveStdio }] = await loadLibrary(() =>
    Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
    ]),
  );
  // In the place of the door over HTTP.
  const app = await createTerminalApp(config, agents, "mcp");
  const { signal, release } = stopOnInterrupt();
  const parts: McpParts = {
    library,
    host: app.door.host(),
    version: productVersion(),
    admit: () => app.door.admit(key),
    languages: [language],
    readFile: (path, whileOpen) => readProjectFile(root, path, whileOpen),
  };
  const runs = given.code === true ? createFolderRuns(parts, root, texts, given) : undefined;
  const server = serveStdio(() =>
    createMcpServer({ ...parts, ...(runs && { code: (call) => runs.call(call) }) }),
  );
  try {
    const leaving = { signal };
    await Promise.race([
      once(process.stdin, "end", leaving),
      once(process.stdin, "close", leaving),
    ]);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    runs?.stop();
    await server.close();
    await app.app.drain();
    await app.close();
    release();
  }
  return 0;
}

/** Reads a file as the coding agent may read it. @returns undefined where there is none. @throws AppError */
async function readProjectFile(root: string, path: string, signal: AbortSignal) {
  const [approvals, gitPlaces] = [createApprovals({ now: Date.now }), ownGitPlaces()];
  const parts = { root, request: "", approvals, gitPlaces };
  await using folder = closing(await createSearchedWorkspace(parts));
  const read = await folder.read(path, { signal });
  if (read.ok) return read.value.text;
  if (read.problem.code === "not-found") return undefined;
  throw new AppError("invalid_request", read.problem.message, { param: "path" });
}

interface Form {
  message: string;
  options: ReturnType<typeof describeQuestion>["options"];
}

/** One run of the agent: each question of it ends a call, and the next call brings the answer. */
interface Run {
  ctx: ServerContext;
  readonly stopped: AbortController;
  /** What the next call that waits gets. */
  leg: PromiseWithResolvers<{ form: Form } | { result: CallResult }>;
  answer: (answer: Answer) => void;
  options: Form["options"];
}

const Decision = z.object({ decision: z.enum(["yes", "all", "no"]), why: z.string().optional() });
/** How long a question may wait, in milliseconds. */
const patience = 10 * 60 * 1_000;

/** Runs of the agent in the folder, as the calls of a client begin them and go on with them. */
function createFolderRuns(
  parts: McpParts,
  root: string,
  texts: CliTexts,
  { yes = false, allow = [] }: Options,
) {
  const { acceptedContent, inputRequired } = parts.library;
  const rules = { isYes: yes, allows: parseAllow(allow, texts) };
  const timers = createTimers();
  /** Those that wait for an answer, with what ends the waiting. */
  const waiting = new Map<string, { run: Run; rest: () => void }>();

  const start = (call: CommandCall): Run => {
    const run: Run = {
      ctx: call.ctx,
      stopped: new AbortController(),
      leg: Promise.withResolvers(),
      answer: () => undefined,
      options: [],
    };
    work(run, call).then(
      (result) => run.leg.resolve({ result }),
      (thrown: unknown) => run.leg.reject(thrown),
    );
    return run;
  };

  const take = (id: string): Run => {
    const found = waiting.get(id);
    if (found === undefined)
      throw new AppError("state_expired", {
        en: "This run of the agent has ended. Start over.",
        zh: "该次运行已结束，请重新开始。",
      });
    waiting.delete(id);
    found.rest();
    return found.run;
  };

  const askFirst = (run: Run, { message, options }: Form): InputRequiredResult => {
    run.options = options;
    const requestState = crypto.randomUUID();
    const rest = timers.start(() => {
      waiting.delete(requestState);
      run.stopped.abort();
    }, patience);
    waiting.set(requestState, { run, rest });
    const enumNames = options.map(([, label]) => label);
    const decision = { type: "string" as const, enum: options.map(([kind]) => kind), enumNames };
    const why = { type: "string" as const, title: texts.instead };
    const properties = { decision, why };
    const requestedSchema = { type: "object" as const, properties, required: ["decision"] };
    const form = inputRequired.elicit({ message, requestedSchema });
    return inputRequired({ inputRequests: { decision: form }, requestState });
  };

  const work = async (run: Run, call: CommandCall): Promise<CallResult> => {
    const { signal } = run.stopped;
    const opening = openFolder(root, call.input.question ?? "", texts);
    await using opened = closing(await opening.catch(refuse));
    const { folder, approvals } = opened;
    const guard = createGuard(root);
    const ask = createAsk({
      rules: { ...rules, guardOf: async (path) => guard(await folder.namesOf(path)) },
      approvals,
      person: call.canAsk ? createFormPerson(run, texts) : undefined,
      texts,
      onRefusal: () => undefined,
    });
    const { variables } = await readFolderContext(folder, signal);
    const coding = { workspace: folder, ask };
    return await runTurnOfCall(parts, call, { coding, variables, signal, waiting: () => run.ctx });
  };

  return {
    async call(call: CommandCall): Promise<CallResult | InputRequiredResult> {
      const { mcpReq } = call.ctx;
      const id = mcpReq.requestState<string>();
      const run = id === undefined ? start(call) : take(id);
      run.ctx = call.ctx;
      const forget = onAbort(mcpReq.signal, () => run.stopped.abort());
      try {
        if (id !== undefined) {
          run.leg = Promise.withResolvers();
          const chosen = acceptedContent(mcpReq.inputResponses, "decision", Decision);
          const { decision = "no", why = "" } = chosen ?? {};
          const [kind = "no"] = run.options.find(([each]) => each === decision) ?? [];
          run.answer(kind === "no" && why !== "" ? { kind, why } : { kind });
        }
        const leg = await run.leg.promise;
        return "form" in leg ? askFirst(run, leg.form) : leg.result;
      } finally {
        forget();
      }
    },
    /** Ends those that wait; the calls of the others end with their client. */
    stop(): void {
      for (const { run, rest } of waiting.values()) {
        rest();
        run.stopped.abort();
      }
    },
  };
}

/** What the person can mend is a refusal of the call. */
function refuse(thrown: unknown): never {
  if (!(thrown instanceof CliError)) throw thrown;
  throw new AppError("invalid_request", { en: thrown.message, zh: thrown.message });
}

/** Asks by forms of the client: what is approved is all that they show. */
function createFormPerson(run: Run, texts: CliTexts): Pick<Person, "judge"> {
  return {
    judge(question) {
      const { title, lines, why, warning, options } = describeQuestion(question, texts);
      const diff = "diff" in question ? escapeControls(question.diff) : "";
      const parts = [title, diff, ...lines, why, warning].filter((part) => part !== "");
      const { promise, resolve } = Promise.withResolvers<Answer>();
      run.answer = resolve;
      run.leg.resolve({ form: { message: parts.join("\n\n"), options } });
      return untilAborted(promise, run.stopped.signal);
    },
  };
}
