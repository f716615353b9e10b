import { readChunks, textOf } from "../../helpers/read-chunks.ts";
import { doorSuite } from "../door-suite.ts";

doorSuite("openai", {
  question: (agent) => ({
    path: "/v1/chat/completions",
    body: { model: agent, stream: true, messages: [{ role: "user", content: "What?" }] },
  }),
  unknownAgent: "model_not_found",
  read(stream) {
    const { chunks, isWhole } = readChunks(stream);
    const { error } = chunks.at(-1) ?? {};
    return {
      text: textOf(chunks),
      isWhole,
      error: error === undefined ? undefined : { code: error.code, sentence: error.message },
    };
  },
});
