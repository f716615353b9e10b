// The plugin's end of a connection whose other end is a test.
import { PassThrough } from "node:stream";
import type { PluginSocket } from "../../../src/cli/ws/socket.ts";

export interface ScriptedSocket extends PluginSocket {
  /** What was sent to the agent. */
  readonly sent: Record<string, unknown>[];
  /** The agent says something: texts as they are, all else as JSON. */
  say(...messages: unknown[]): void;
  /** The agent closes the connection. */
  hangUp(code: number, reason: string): void;
  /** Resolves when so many messages were sent to the agent. */
  hasSent(count: number): Promise<void>;
}

export function scriptedSocket(): ScriptedSocket {
  const inbox = new PassThrough({ objectMode: true });
  const sent: Record<string, unknown>[] = [];
  let closed: PluginSocket["closed"];
  let waiting: (() => void)[] = [];
  return {
    sent,
    receive: inbox.iterator({ destroyOnReturn: false }),
    send(frame) {
      sent.push(JSON.parse(JSON.stringify(frame)) as Record<string, unknown>);
      for (const look of waiting.splice(0)) look();
    },
    get closed() {
      return closed;
    },
    close() {
      inbox.end();
      return Promise.resolve();
    },
    say(...messages) {
      for (const one of messages) inbox.write(typeof one === "string" ? one : JSON.stringify(one));
    },
    hangUp(code, reason) {
      closed = { code, reason };
      inbox.end();
    },
    async hasSent(count) {
      while (sent.length < count)
        await new Promise<void>((resolve) => (waiting = [...waiting, resolve]));
    },
  };
}
