import type { Door, DoorHost } from "../../doors/http/door.ts";
import { AppError } from "../../base/errors/app-error.ts";
import type { Turn } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { TurnRequest } from "../../turn/turn-request.ts";

/** What the terminal says of a turn; the rest is the same for all. */
type TerminalRequest = Pick<TurnRequest, "agent" | "command" | "variables"> & {
  model: string | undefined;
  language: string | undefined;
  /** For the platform's model. */
  key: string | undefined;
};

export interface StartedTurn {
  turn: Turn;
  /** Keeps the contract of `settle`. Must be read, or left, for the turn to end. */
  events: AsyncGenerator<TurnEvent, void, void>;
}

/** A door without a protocol: turns of this process, whose events are facts. */
export interface TerminalDoor extends Door {
  /**
   * Begins a turn in the app that the door was mounted in.
   *
   * @throws AppError where the request is refused
   */
  start(request: TerminalRequest, signal: AbortSignal): Promise<StartedTurn>;
}

export function terminalDoor(): TerminalDoor {
  let host: DoorHost | undefined;
  return {
    name: "terminal",
    mount(_, given) {
      host = given;
    },
    async start(request, signal) {
      if (host === undefined) throw new Error("The terminal's door is not mounted.");
      return startTurn(host, request, signal);
    },
  };
}

async function startTurn(
  host: DoorHost,
  { key, model, language, ...request }: TerminalRequest,
  signal: AbortSignal,
): Promise<StartedTurn> {
  const authorization = key === undefined ? undefined : `Bearer ${key}`;
  const caller = await host.identify({
    header: (name) => (name === "authorization" ? authorization : undefined),
    headerNames: () => (authorization === undefined ? [] : ["authorization"]),
  });
  const admission = host.admit(caller);
  const stop = (): void => {
    admission.abort(new AppError("aborted", { en: "The person left.", zh: "用户已离开。" }));
  };
  try {
    const turn = host.resolve({
      ...request,
      id: admission.id,
      definition: undefined,
      history: [],
      models: [model],
      languages: [language],
      caller,
      signal: admission.signal,
      extra: {},
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    return { turn, events: host.run(admission, turn) };
  } catch (thrown) {
    admission.end();
    throw thrown;
  }
}
