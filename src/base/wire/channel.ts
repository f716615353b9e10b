import type { Timers } from "./patient-timer.ts";

/** A connection that carries texts both ways, a WebSocket say. */
export interface Channel {
  /** The texts that come, in their order; it ends when the connection is over. Who reads slowly slows the sender. */
  receive: AsyncIterable<string>;
  /**
   * Sends a text; nothing happens once the connection is over.
   *
   * @returns false where the client is slower than we are: wait for `drained`
   */
  send(text: string): boolean;
  /** Resolves when more can be sent, also when there is nobody left to send it to. */
  drained(): Promise<void>;
  /** Ends the connection. @param code as RFC 6455, section 7.4, has it */
  close(code?: number, reason?: string): void;
  /**
   * Keeps a message, the last one that is given, which comes once more when the connection's owner wakes up
   * after a sleep. Present where it may sleep: then nothing should wait by a timer while nothing is done.
   */
  remember?(message: string): void;
}

/** Takes a connection as soon as it is open. */
export type TakeChannel = (channel: Channel) => void;

/** Why a connection is closed: codes of RFC 6455 and its registry, and of our own from 4000 on. */
export const closeCodes = {
  normal: 1000,
  /** The server goes down; another one may take over at once. */
  restart: 1012,
  /** The client reads too slowly. */
  slow: 1013,
  unsupported: 1003,
  failed: 1011,
  tooLarge: 1009,
  unauthorized: 4401,
  notFound: 4404,
  idle: 4408,
  tooMany: 4429,
} as const;

/** A reason as far as a closing frame can hold it: 123 bytes (RFC 6455, section 5.5). */
export function cutReason(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(123));
  return reason.slice(0, read);
}

export type Inbox = ReturnType<typeof createInbox>;

/**
 * The texts of a connection that wait for their reader, who gets one a turn of the event loop: who sends
 * thousands at once keeps nobody else from theirs.
 *
 * @param nextTurn resolves in a later turn of the event loop
 * @param onTaken is told of each text before its reader gets it
 */
export function createInbox(nextTurn: () => Promise<void>, onTaken: (text: string) => void) {
  let texts: string[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  return {
    get length(): number {
      return texts.length;
    },
    push(text: string): void {
      texts.push(text);
      wake();
    },
    /** The connection is over; what waits is dropped. */
    finish(): void {
      isOver = true;
      texts = [];
      wake();
    },
    async *read(): AsyncGenerator<string, void, void> {
      for (;;) {
        if (isOver) return;
        const text = texts.shift();
        if (text === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else {
          onTaken(text);
          yield text;
          await nextTurn();
        }
      }
    },
  };
}

/** What a channel needs of a WebSocket whose runtime tells its owner what comes. */
interface ToldSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

interface SleepingChannelOptions {
  /** Of a message, in bytes. */
  maxMessage: number;
  /** Keeps a message that is taken once more after a sleep. */
  remember: (text: string) => void;
  timers: Pick<Timers, "start">;
}

/** Messages that wait to be taken, in characters. */
const maxWaiting = 4 * 1_024 * 1_024;
/** What a message counts beside its text: empty ones fill a memory, too. */
const messageCost = 64;
/** What is sent to a client that says nothing meanwhile, in characters. */
const maxUnanswered = 8 * 1_024 * 1_024;

export type SleepingChannel = ReturnType<typeof createSleepingChannel>;

/**
 * A channel that is told what comes, and whose owner may be put to sleep. The runtime tells neither how much
 * waits to be sent nor of pings. So what was sent since the client's last message is bounded instead.
 */
export function createSleepingChannel(
  socket: ToldSocket,
  { maxMessage, remember, timers }: SleepingChannelOptions,
) {
  let [waiting, unanswered, isOver] = [0, 0, false];
  const inbox = createInbox(
    () => new Promise((resolve) => timers.start(resolve, 0)),
    ({ length }) => (waiting -= length + messageCost),
  );
  const channel = {
    remember,
    get receive(): AsyncIterable<string> {
      return inbox.read();
    },
    /** Takes what has come. */
    push(message: string | ArrayBuffer): void {
      if (isOver) return;
      unanswered = 0;
      if (typeof message !== "string")
        return channel.close(closeCodes.unsupported, "Only text messages are read here.");
      // No character takes less than a byte.
      if (message.length > maxMessage)
        return channel.close(closeCodes.tooLarge, "The message is too large.");
      waiting += message.length + messageCost;
      if (waiting > maxWaiting)
        return channel.close(closeCodes.slow, "Too many messages are waiting.");
      inbox.push(message);
    },
    send(text: string): boolean {
      if (isOver) return true;
      unanswered += text.length;
      if (unanswered > maxUnanswered) {
        channel.close(closeCodes.slow, "The client reads too slowly.");
        return true;
      }
      try {
        socket.send(text);
      } catch {
        // The client has left, and the runtime tells so in a moment.
        channel.finish();
      }
      return true;
    },
    drained: () => Promise.resolve(),
    close(code: number = closeCodes.normal, reason = ""): void {
      if (isOver) return;
      channel.finish();
      socket.close(code, cutReason(reason));
    },
    /** The connection is over. */
    finish(): void {
      isOver = true;
      inbox.finish();
    },
  } satisfies Channel & Record<string, unknown>;
  return channel;
}
