import type { ChatModel, ChatRequest } from "../../src/turn/chat-model.ts";

/** A model whose every answer is written by the test, piece by piece. */
export interface GatedModel extends ChatModel {
  readonly requests: ChatRequest[];
  /** Requests that were aborted before their end. */
  readonly aborted: number;
  /** Of all answers that are being written, the oldest one says this; waits until one is asked for. */
  say(text: string): Promise<void>;
  end(): Promise<void>;
}

interface Answer {
  pieces: string[];
  isOver: boolean;
  wake: () => void;
}

export function gatedModel(name = "gated"): GatedModel {
  const requests: ChatRequest[] = [];
  const open: Answer[] = [];
  const begun: { signal: AbortSignal; answer: Answer }[] = [];
  let wakeTest = (): void => undefined;
  const oldest = async (): Promise<Answer> => {
    for (;;) {
      const answer = open.find(
        (one) => !begun.some((each) => each.answer === one && each.signal.aborted),
      );
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => (wakeTest = resolve));
    }
  };
  return {
    name,
    contextWindow: 32_768,
    answerReserve: 4_096,
    requests,
    get aborted() {
      return begun.filter(({ signal, answer }) => signal.aborted && !answer.isOver).length;
    },
    async say(text) {
      const answer = await oldest();
      answer.pieces.push(text);
      answer.wake();
    },
    async end() {
      const answer = await oldest();
      open.splice(open.indexOf(answer), 1);
      answer.isOver = true;
      answer.wake();
    },
    async *stream(request, { signal }) {
      requests.push(request);
      const answer: Answer = { pieces: [], isOver: false, wake: () => undefined };
      open.push(answer);
      begun.push({ signal, answer });
      wakeTest();
      const wake = (): void => answer.wake();
      signal.addEventListener("abort", wake);
      try {
        for (;;) {
          if (signal.aborted) throw signal.reason;
          const text = answer.pieces.shift();
          if (text !== undefined) yield { type: "text-delta", text };
          else if (answer.isOver) return "stop";
          else await new Promise<void>((resolve) => (answer.wake = resolve));
        }
      } finally {
        signal.removeEventListener("abort", wake);
        if (open.includes(answer)) open.splice(open.indexOf(answer), 1);
      }
    },
  };
}
