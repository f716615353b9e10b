// What the processes that the bench starts say to it.
import type { Server } from "node:http";

/** Listens on a free port of loopback and says where, in the words that the launcher waits for. */
export function announce(name: string, server: Server): void {
  server.listen({ port: 0, host: "127.0.0.1", backlog: 8_192 }, () => {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error(`${name} has no port.`);
    process.stdout.write(`${name} listens on http://127.0.0.1:${address.port}\n`);
  });
}

export type Reply = { ok: true; result: unknown } | { ok: false; problem: string };

/** Answers each question that the launcher's `ask` sends; whoever starts this sends no others. */
export function answerParent(act: (question: never) => unknown): void {
  const reply = (message: Reply): void => void process.send?.(message);
  const answer = async (question: unknown): Promise<void> => {
    try {
      reply({ ok: true, result: await act(question as never) });
    } catch (thrown) {
      reply({ ok: false, problem: String(thrown) });
    }
  };
  process.on("message", (question) => void answer(question));
  process.on("disconnect", () => process.exit());
}
