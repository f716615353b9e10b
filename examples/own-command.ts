import { type Command, confirmAction, relayAnswer } from "../src/index.ts";

/** Lists the to-dos of the file in the editor, and asks the model which one comes first. */
export const todos: Command = {
  name: "todos",
  // Whether it may ask a model, and whether a click or a question may name lines of the file to it.
  asksModel: true,
  hasPlace: true,
  async *flow({ context, model, modelId, signal, caller }) {
    const { filePath, content } = context.activeEditor ?? {};
    const lines = (content ?? "").split("\n");
    const found = lines.flatMap((line, nth) =>
      line.includes("TODO") ? [`- line ${nth + 1}: ${line.trim()}`] : [],
    );
    if (found.length === 0) {
      yield { type: "text-delta", text: "There is nothing to do in this file.\n" };
      yield { type: "turn-end", reason: "stop" };
      return;
    }
    yield { type: "text-delta", text: `**${filePath ?? "This file"}**\n\n${found.join("\n")}\n\n` };
    const question = `Which of these comes first, and why? Answer in one sentence.\n${found.join("\n")}`;
    const request = {
      messages: [{ role: "user" as const, content: question }],
      ...(modelId === undefined ? {} : { model: modelId }),
    };
    // The answer goes to the person as it comes. A failure of the model is told by whoever runs the flow.
    const relay = relayAnswer(model, request, { signal, caller });
    yield { type: "relay", relay };
    const reason = await relay.ended;
    const title = "Explain the file";
    const action = confirmAction({ title, message: title, command: "explain", prompt: "" });
    yield { type: "action", action };
    yield { type: "turn-end", reason };
  },
};
