import * as z from "zod";
import { AppError, type Message } from "../base/errors/app-error.ts";
import { type Timers, untilAborted } from "../base/wire/patient-timer.ts";
import { type CommonUse, type Tool, fail } from "./tool.ts";

/** Another agent that a model may ask. */
export interface SubAgent {
  /** Letters, digits, `_` and `-`, 64 at most. */
  name: string;
  /** What it can do: its system prompt, say. So much of it is told as fits. */
  description: string;
  /**
   * Asks it.
   *
   * @param signal is aborted with the caller's turn, and when the time is over
   * @returns its answer
   * @throws AppError that is told to the model
   */
  run: (prompt: string, signal: AbortSignal) => Promise<string>;
  /** Milliseconds. */
  timeout: number;
  timers: Timers;
}

/** In characters, as the known server of sessions cuts it. */
const maxDescription = 1_024;

const Input = z.object({ prompt: z.string().min(1) });

/** Another agent as a tool: `prompt` in, `{ result }` or `{ error }` out. Several may be asked side by side. */
export function subAgentTool(agent: SubAgent): Tool<z.infer<typeof Input>, CommonUse> {
  const description = agent.description.slice(0, maxDescription).replace(/[\uD800-\uDBFF]$/, "");
  return {
    name: agent.name,
    description: { en: description, zh: description },
    input: Input,
    fields: {
      prompt: {
        en: "What it is to do, with all that it has to know: it sees nothing else of this conversation.",
        zh: "要它完成的任务，以及所需的全部信息：它看不到这次对话的其他内容。",
      },
    },
    effect: "read",
    async run({ prompt }, { signal, locale }) {
      const late = new AbortController();
      const stop = agent.timers.start(() => late.abort(tooLate(agent)), agent.timeout);
      const either = AbortSignal.any([signal, late.signal]);
      try {
        const result = await untilAborted(agent.run(prompt, either), either);
        return { success: true, result };
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof AppError)) throw thrown;
        return fail(locale, thrown.code, {
          en: thrown.messageIn("en"),
          zh: thrown.messageIn("zh"),
        });
      } finally {
        stop();
      }
    },
  };
}

function tooLate({ name, timeout }: SubAgent): AppError {
  const seconds = Math.ceil(timeout / 1_000);
  const message: Message = {
    en: `The agent ${name} did not answer within ${seconds} s.`,
    zh: `智能体 ${name} 在 ${seconds} 秒内没有回答。`,
  };
  return new AppError("limit_reached", message);
}
