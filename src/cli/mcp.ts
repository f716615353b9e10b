// `rightseat mcp`: the agent as tools of the Model Context Protocol, over standard input and output.
import { ownGitPlaces } from "./read/read-settings-file.ts";
import { once } from "node:events";
import * as z from "zod";
import type { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { AppError } from "../base/errors/app-error.ts";
import { createTimers, untilAborted } from "../base/wire/patient-timer.ts";
import type { Door, DoorHost } from "../doors/http/door.ts";
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
import { readFolderContext } from "./code/run-agent.ts";
import type { Options } from "./options.ts";
import { openProject, parseAllow } from "./code/run-code.ts";
import { createLocalApp } from "./create-local-app.ts";
import { stopOnInterrupt } from "./fail-with.ts";
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
  const { promise: mounted, resolve } = Promise.withResolvers<DoorHost>();
  const door: Door = { name: "mcp", mount: (_, host) => resolve(host) };
  const app = await createLocalApp(config, agents, process.env, undefined, { doors: [door] });
  const host = await mounted;
  const { signal, release } = stopOnInterrupt();
  const authorization = key === undefined ? undefined : `Bearer ${key}`;
  const head = {
    header: (name: string) => (name === "authorization" ? authorization : undefined),
    headerNames: () => (authorization === undefined ? [] : ["authorization"]),
  };
  const parts: McpParts = {
    library,
    host,
    version: productVersion(),
    admit: async () => host.admit(await host.identify(head)),
    languages: [language],
    readFile: (path, whileOpen) => readProjectFile(root, path, whileOpen),
  };
  const runs = given.code === true ? new FolderRuns(parts, root, texts, given) : undefined;
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
async function readProjectFile(
  root: string,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await createSearchedWorkspace({
    root,
    request: "",
    approvals: createApprovals({ now: Date.now }),
    gitPlaces: ownGitPlaces(),
  });
  try {
    const read = await folder.read(path, { signal });
    if (read.ok) return read.value.text;
    if (read.problem.code === "not-found") return undefined;
    throw new AppError("invalid_request", read.problem.message, { param: "path" });
  } finally {
    await folder.close();
  }
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

class FolderRuns {
  readonly #parts: McpParts;
  readonly #root: string;
  readonly #texts: CliTexts;
  readonly #rules: { isYes: boolean; allows: ReturnType<typeof parseAllow> };
  readonly #timers = createTimers();
  /** Those that wait for an answer, with what ends the waiting. */
  readonly #waiting = new Map<string, { run: Run; rest: () => void }>();

  constructor(parts: McpParts, root: string, texts: CliTexts, { yes, allow = [] }: Options) {
    this.#parts = parts;
    this.#root = root;
    this.#texts = texts;
    this.#rules = { isYes: yes ?? false, allows: parseAllow(allow, texts) };
  }

  /** Ends those that wait; the calls of the others end with their client. */
  stop(): void {
    for (const { run, rest } of this.#waiting.values()) {
      rest();
      run.stopped.abort();
    }
  }

  async call(call: CommandCall): Promise<CallResult | InputRequiredResult> {
    const { library } = this.#parts;
    const { mcpReq } = call.ctx;
    const id = mcpReq.requestState<string>();
    const run = id === undefined ? this.#start(call) : this.#take(id);
    run.ctx = call.ctx;
    const stop = (): void => run.stopped.abort();
    mcpReq.signal.addEventListener("abort", stop, { once: true });
    try {
      if (id !== undefined) {
        run.leg = Promise.withResolvers();
        const chosen = library.acceptedContent(mcpReq.inputResponses, "decision", Decision);
        const { decision = "no", why = "" } = chosen ?? {};
        const [kind = "no"] = run.options.find(([each]) => each === decision) ?? [];
        run.answer(kind === "no" && why !== "" ? { kind, why } : { kind });
      }
      const leg = await run.leg.promise;
      return "form" in leg ? this.#ask(run, leg.form) : leg.result;
    } finally {
      mcpReq.signal.removeEventListener("abort", stop);
    }
  }

  #start(call: CommandCall): Run {
    const run: Run = {
      ctx: call.ctx,
      stopped: new AbortController(),
      leg: Promise.withResolvers(),
      answer: () => undefined,
      options: [],
    };
    this.#work(run, call).then(
      (result) => run.leg.resolve({ result }),
      (thrown: unknown) => run.leg.reject(thrown),
    );
    return run;
  }

  #take(id: string): Run {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined)
      throw new AppError("state_expired", {
        en: "This run of the agent has ended. Start over.",
        zh: "该次运行已结束，请重新开始。",
      });
    this.#waiting.delete(id);
    waiting.rest();
    return waiting.run;
  }

  #ask(run: Run, { message, options }: Form): InputRequiredResult {
    const { inputRequired } = this.#parts.library;
    run.options = options;
    const requestState = crypto.randomUUID();
    const rest = this.#timers.start(() => {
      this.#waiting.delete(requestState);
      run.stopped.abort();
    }, patience);
    this.#waiting.set(requestState, { run, rest });
    const enumNames = options.map(([, label]) => label);
    const decision = { type: "string" as const, enum: options.map(([kind]) => kind), enumNames };
    const why = { type: "string" as const, title: this.#texts.instead };
    const form = inputRequired.elicit({
      message,
      requestedSchema: {
        type: "object",
        properties: { decision, why },
        required: ["decision"],
      },
    });
    return inputRequired({ inputRequests: { decision: form }, requestState });
  }

  async #work(run: Run, call: CommandCall): Promise<CallResult> {
    const { signal } = run.stopped;
    const [root, texts] = [this.#root, this.#texts];
    const approvals = createApprovals({ now: Date.now });
    const opening = openFolder(root, call.input.question ?? "", approvals, texts);
    const folder = await opening.catch((thrown: unknown) => {
      if (!(thrown instanceof CliError)) throw thrown;
      throw new AppError("invalid_request", { en: thrown.message, zh: thrown.message });
    });
    try {
      const guard = createGuard(root);
      const ask = createAsk({
        rules: { ...this.#rules, guardOf: async (path) => guard(await folder.namesOf(path)) },
        approvals,
        person: call.canAsk ? createFormPerson(run, texts) : undefined,
        texts,
        onRefusal: () => undefined,
      });
      const { variables } = await readFolderContext(folder, signal);
      const coding = { workspace: folder, ask };
      const more = { coding, variables, signal, waiting: () => run.ctx };
      return await runTurnOfCall(this.#parts, call, more);
    } finally {
      await folder.close();
    }
  }
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
