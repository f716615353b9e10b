import type { ChatModel, ChatRequest, StreamOptions } from "../turn/chat-model.ts";
import { type AppError, toAppError } from "../base/errors/app-error.ts";
import { estimateMessage } from "../turn/tokens.ts";
import type { TurnSources } from "../turn/agents/resolve-turn.ts";
import { type RelayEnd, createRelay, relayAnswer, relayed } from "../turn/relay.ts";
import type { Relay, RelaySink, RelayedEvent } from "../turn/turn-event.ts";
import { saysMore, readDeltas } from "./chat/chat-chunk.ts";

/** The models that a turn can be answered by, in the order in which a default is looked for. */
export interface ModelTable {
  /**
   * Finds who answers: the first of the wanted names that the table has, else whoever serves any
   * name (a default that does, or the `*` row), else the default.
   *
   * @param wanted what definition and request name, the strongest first
   */
  resolve: TurnSources["resolveModel"];
  /** The names, the default first. */
  names: readonly string[];
  /** Makes a model at an address of a client's own; absent where no such address is allowed. */
  openOwn?: (own: OwnModel) => ChatModel;
}

/** A model at an address of a client's own. Its key goes there and nowhere else. */
export interface OwnModel {
  baseUrl: string;
  apiKey?: string;
  model: string;
}

export interface NamedModel {
  /** `*` answers for every name that no other row has. */
  name: string;
  model: ChatModel;
  /** It serves models of its own under names that we do not know. */
  takesAnyName?: boolean;
}

/** @param models at least one; the first is the default */
export function createModelTable(models: readonly [NamedModel, ...NamedModel[]]): ModelTable {
  const byName = new Map(models.map(({ name, model }) => [name, model]));
  const wildcard = byName.get("*");
  const [first] = models;
  return {
    names: models.map(({ name }) => name),
    resolve(wanted) {
      let modelId: string | undefined;
      for (const name of wanted) {
        if (typeof name !== "string" || name === "" || name === "*") continue;
        const model = byName.get(name);
        if (model !== undefined) return { model, modelId: undefined };
        modelId ??= name;
      }
      const servesAny = first.takesAnyName ? first.model : wildcard;
      if (modelId === undefined || servesAny === undefined) {
        return { model: first.model, modelId: undefined };
      }
      return { model: servesAny, modelId };
    },
  };
}

// Several models of which the first one that answers does.

/** Is told that a model failed before its first word, and who is asked next. */
export type OnNext = (failed: string, error: AppError, next: string) => void;

/**
 * The first model; where it fails before its first word the next one is asked, each once and none again. One
 * that the question does not fit is passed over. Of the errors of all the first counts that may pass, else the last.
 */
export function fallbackModel(
  first: ChatModel,
  others: readonly ChatModel[],
  onNext: OnNext,
): ChatModel {
  return {
    ...relayed(first, (request, options) => {
      const models = [first, ...others.filter((model) => takes(model, request))];
      return fallbackRelay(models, request, options, onNext);
    }),
    get toolCalls() {
      return first.toolCalls ?? "tools";
    },
  };
}

/** A model of our own reads no prompt, so that none is too long for it. */
function takes(
  { contextWindow, answerReserve, toolCalls }: ChatModel,
  { messages, tools = [] }: ChatRequest,
): boolean {
  if (toolCalls === "none") return tools.length === 0;
  const tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
  return tokens <= contextWindow - answerReserve;
}

function fallbackRelay(
  models: readonly ChatModel[],
  request: ChatRequest,
  given: StreamOptions,
  onNext: OnNext,
): Relay {
  let asked: Relay | undefined;
  /** It never rejects. */
  const run = async (
    sink: RelaySink,
    end: RelayEnd,
    play: (relay: Relay, gate: FirstWord) => Promise<void>,
  ): Promise<void> => {
    const options = { ...given, isOnce: models.length > 1 };
    let kept: AppError | undefined;
    for (const [nth, model] of models.entries()) {
      if (end.isOver) return;
      const relay = relayAnswer(model, request, options);
      asked = relay;
      const gate = waitForWord(sink, () => {
        options.figures?.answeredBy.add(model.name);
        sink.take({ type: "model-answers", model: model.name });
      });
      try {
        // The head waits a little longer, so that it can name who answers.
        if (nth > 0) sink.take({ type: "model-busy" });
        await play(relay, gate);
        const reason = await relay.ended;
        gate.open();
        end.hasText = relay.heard?.hasText !== false;
        return end.end(reason);
      } catch (thrown) {
        const error = toAppError(thrown);
        kept = kept?.isLasting === false ? kept : error;
        const next = models[nth + 1];
        const isFinal = gate.isOpen || !isOfModel(error) || options.signal.aborted;
        if (isFinal || next === undefined) return end.fail(isFinal ? error : kept);
        onNext(model.name, error, next.name);
      }
    }
  };
  return createRelay({
    start: (as, sink, end) =>
      void run(sink, end, as === "frames" ? (relay, gate) => relay.pipe(gate) : pull),
    abort: () => asked?.cancel(),
  });
}

/** Passes an answer on as deltas; why it ends is told by the relay. */
async function pull(relay: Relay, gate: FirstWord): Promise<void> {
  for await (const event of relay.deltas()) if (!gate.take(event)) await gate.drained();
}

/** Its server refused, failed, or could not be reached; all else another model would not mend. */
function isOfModel({ code }: AppError): boolean {
  return /^(?:upstream_.+|rate_limited|prompt_too_large)$/.test(code);
}

/** Events without a word that are held back at most. */
const maxHeld = 32;

type FirstWord = ReturnType<typeof waitForWord>;

/** Holds back what comes before the first word of an answer, so that nobody sees it where none comes. */
function waitForWord(sink: RelaySink, onOpen: () => void) {
  let isOpen = false;
  let held: RelayedEvent[] = [];
  const gate = {
    get isOpen() {
      return isOpen;
    },
    take(event: RelayedEvent): boolean {
      if (isOpen || event.type === "model-busy") return sink.take(event);
      held.push(event);
      return (!isWord(event) && held.length < maxHeld) || gate.open();
    },
    drained: () => sink.drained(),
    /** @returns whether more is wanted at once */
    open(): boolean {
      if (isOpen) return true;
      isOpen = true;
      onOpen();
      const all = held;
      held = [];
      return all.reduce((isFree, event) => sink.take(event) && isFree, true);
    },
  };
  return gate;
}

function isWord(event: RelayedEvent): boolean {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return event.text !== "";
    case "upstream-frames":
      return readDeltas(event.bytes).some(saysMore);
    case "tool-call":
    case "upstream-event":
      return true;
    case "usage":
    case "text-was-reasoning":
    case "model-busy":
    case "model-answers":
      return false;
  }
}
