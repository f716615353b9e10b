import { estimateTokens } from "../../turn/context/tokens.ts";
import type { CodeParser } from "../../code/code-analysis.ts";
import { plainCodeParser } from "../../code/plain/read-plainly.ts";
import type { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel } from "../../turn/chat-model.ts";
import { estimateMessage } from "../../turn/message-tokens.ts";
import { type Slices, timerSlices } from "../../turn/slices.ts";
import type { Usage } from "../../turn/turn-event.ts";
import { answerCommand } from "./commands.ts";
import { paragraphs } from "./print.ts";
import { offlineTexts } from "./texts.ts";

/**
 * A model that needs neither network nor key: it says what the code that a turn is about consists
 * of, and claims nothing that the text does not show. The same request gets the same answer.
 *
 * @param parser reads the code; without it lines and indentation are all that is seen
 * @param slices takes what is long about long files
 * @param isOneTalk whether all answers go to one person: then only the first says what this model is
 */
export function offlineModel(
  parser: CodeParser = plainCodeParser,
  slices: Slices = timerSlices(),
  isOneTalk = false,
): ChatModel {
  let isIntroduced = false;
  return {
    name: "offline",
    contextWindow: 128_000,
    answerReserve: 4_096,
    isDeterministic: true,
    toolCalls: "none",
    async *stream({ messages, subject, locale = "en" }, { signal }) {
      const known = offlineTexts(locale);
      const texts = isOneTalk && isIntroduced ? { ...known, notice: "" } : known;
      isIntroduced = true;
      const about = subject?.();
      const nothing = paragraphs(texts.notice, texts.nothingOpen);
      const answer = about
        ? await answerCommand(about, { parser, slices, texts, signal })
        : nothing;
      for (const text of cutAnswer(answer)) {
        if (signal.aborted) throw signal.reason;
        yield { type: "text-delta", text };
      }
      yield { type: "usage", usage: countUsage(messages, answer) };
      return "stop";
    },
  };
}

/** Line by line, as a model streams; long answers in larger pieces. */
function cutAnswer(answer: string): string[] {
  if (answer.length < 40_000) return answer.split(/(?<=\n)/);
  return answer.match(/[^]{4096}[^\n]*\n?|[^]+/g) ?? [];
}

function countUsage(messages: readonly ChatMessage[], answer: string): Usage {
  const prompt_tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
  const completion_tokens = estimateTokens(answer);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
