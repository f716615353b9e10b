import { describeContext } from "../prompt/describe-context.ts";
import type { Flow } from "./flow.ts";
import { textsFor } from "./texts/texts.ts";

/** Tells which agent this is, in which version, and which model it asks. */
export const tellVersion: Flow = async function* (turn, services) {
  const { name, version } = turn.definition;
  const text = textsFor(turn.locale).version(
    name,
    version || services.version,
    turn.modelId ?? turn.model.name,
  );
  yield { type: "context-receipt", receipt: describeContext(turn) };
  yield { type: "text-delta", text };
  yield { type: "turn-end", reason: "stop" };
};
