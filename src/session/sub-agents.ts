// Another session as a tool of the model.
import * as z from "zod";
import { type Timers, onAbort } from "../base/wire/patient-timer.ts";
import { type Message, toAppError } from "../base/errors/app-error.ts";
import { cutName } from "../base/errors/names.ts";
import { sayReason } from "../base/errors/to-public-error.ts";
import { type AnyTool, type Tool, type ToolOutcome, fail } from "../tools/tool.ts";
import type { Locale } from "../base/errors/locale.ts";
import type { OtherSessions, ParentTask, RunningTask, SubAgent, TaskEnd } from "./session.ts";

/** Levels of sub-agents below a session. */
export const maxDepth = 3;
/** Of a description, in characters: servers refuse longer ones. */
const maxDescription = 1_024;

interface Parts {
  sessions: OtherSessions;
  /** The task whose model asks. */
  run: ParentTask;
  timers: Timers;
}

const Prompt = z.object({ prompt: z.string() });

/** Makes a tool of a session: it runs a task there, and answers with its last text. */
export async function createSubAgent(agent: SubAgent, parts: Parts): Promise<AnyTool> {
  const { id, name = id, description } = agent;
  const about = description ?? (await describe(agent, parts));
  const tool: Tool<z.infer<typeof Prompt>> = {
    name,
    description: { en: about, zh: about },
    input: Prompt,
    fields: {
      prompt: { en: "What the agent is asked, in full.", zh: "向该智能体提出的完整请求。" },
    },
    effect: "read",
    mayRepeat: true,
    isBare: true,
    run: ({ prompt }, { signal, locale }) => ask(id, prompt, { ...parts, signal, locale }),
  };
  return tool;
}

async function describe({ id }: SubAgent, { sessions, run }: Parts): Promise<string> {
  try {
    const { systemPrompt } = await sessions.readOptions(await sessions.find(id, run.caller));
    return systemPrompt.slice(0, maxDescription) || unnamed;
  } catch (thrown) {
    if (toAppError(thrown).code === "not_found") return unnamed;
    throw thrown;
  }
}

const unnamed = "Another agent, which answers a request.";

interface Asking extends Parts {
  signal: AbortSignal;
  locale: Locale;
}

/** @throws the signal's reason, when the sub-agent has stopped, too */
async function ask(id: string, prompt: string, asking: Asking): Promise<ToolOutcome> {
  const { sessions, run, signal, locale } = asking;
  signal.throwIfAborted();
  if (run.chain.includes(id)) return fail(locale, "agent-cycle", cycle);
  if (run.chain.length > maxDepth) return fail(locale, "agent-depth", tooDeep);
  try {
    const session = await sessions.find(id, run.caller);
    const contents = [{ type: "text", message: prompt }] as const;
    const asked = { contents, caller: run.caller, locale };
    const { run: started } = await sessions.start(session, asked, run);
    if (started === undefined) return fail(locale, "agent-failed", unavailable);
    return await waitFor(started, asking);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    const error = sayReason(toAppError(thrown), locale);
    return { success: false, error };
  }
}

async function waitFor(started: RunningTask, asking: Asking): Promise<ToolOutcome> {
  const { sessions, timers, signal, locale } = asking;
  let isLate = false;
  const cancel = timers.start(() => {
    isLate = true;
    started.stop();
  }, sessions.limits.subAgentTimeout);
  const forget = onAbort(signal, () => started.stop());
  const end = await started.done;
  cancel();
  forget();
  signal.throwIfAborted();
  return isLate ? fail(locale, "agent-timeout", tooLate) : toOutcome(end, locale);
}

function toOutcome({ line, text }: TaskEnd, locale: Locale): ToolOutcome {
  const status = line.type === "status" ? line.message : undefined;
  if (status?.status === "done") return { success: true, result: text };
  if (status?.problem === undefined) return fail(locale, "agent-stopped", stopped);
  return { success: false, error: cutName(status.problem.message) };
}

const cycle: Message = {
  en: "This agent waits for your own answer already, so it cannot be asked.",
  zh: "该智能体正在等待你的回答，因此无法调用。",
};
const tooDeep: Message = {
  en: `Agents ask each other at most ${maxDepth} deep.`,
  zh: `智能体之间最多嵌套调用 ${maxDepth} 层。`,
};
const unavailable: Message = {
  en: "The agent cannot be asked at the moment.",
  zh: "该智能体暂时无法调用。",
};
const tooLate: Message = {
  en: "The agent did not answer in time.",
  zh: "该智能体未及时回答。",
};
const stopped: Message = { en: "The agent was stopped.", zh: "该智能体已被停止。" };
