import type { Channel } from "../../src/base/wire/channel.ts";

/** The other end of a channel that has no network: queues on both sides. */
export interface MemoryPeer {
  send(text: string): void;
  /** What the server has sent and nobody has taken yet. */
  readonly received: string[];
  /** Resolves with the next text, undefined once the server has closed and all is taken. */
  next(): Promise<string | undefined>;
  leave(): void;
  /** Stops and starts reading: in between the server is told that the client is slower. */
  stall(): void;
  resume(): void;
  readonly isOver: boolean;
  /** As the server closed it. */
  readonly closed: Promise<{ code: number | undefined; reason: string | undefined }>;
}

export function createMemoryChannel(): { channel: Channel; peer: MemoryPeer } {
  const inbox: string[] = [];
  const received: string[] = [];
  const closed = Promise.withResolvers<{ code: number | undefined; reason: string | undefined }>();
  const state = { isOver: false };
  let isStalled = false;
  let wakeServer = (): void => undefined;
  let wakeClients: (() => void)[] = [];
  let wakeDrained: (() => void)[] = [];
  const end = (): void => {
    state.isOver = true;
    wakeServer();
    for (const wake of [...wakeClients.splice(0), ...wakeDrained.splice(0)]) wake();
  };
  const channel: Channel = {
    receive: (async function* () {
      while (!state.isOver || inbox.length > 0) {
        const text = inbox.shift();
        if (text !== undefined) yield text;
        else await new Promise<void>((resolve) => (wakeServer = resolve));
      }
    })(),
    send(text) {
      if (state.isOver) return true;
      received.push(text);
      for (const wake of wakeClients.splice(0)) wake();
      return !isStalled;
    },
    drained: () =>
      isStalled && !state.isOver
        ? new Promise((resolve) => wakeDrained.push(resolve))
        : Promise.resolve(),
    close(code, reason) {
      closed.resolve({ code, reason });
      end();
    },
  };
  const peer: MemoryPeer = {
    send(text) {
      if (state.isOver) return;
      inbox.push(text);
      wakeServer();
    },
    received,
    async next() {
      while (received.length === 0 && !state.isOver)
        await new Promise<void>((resolve) => wakeClients.push(resolve));
      return received.shift();
    },
    leave() {
      inbox.length = 0;
      end();
    },
    stall: () => void (isStalled = true),
    resume() {
      isStalled = false;
      for (const wake of wakeDrained.splice(0)) wake();
    },
    get isOver() {
      return state.isOver;
    },
    closed: closed.promise,
  };
  return { channel, peer };
}
