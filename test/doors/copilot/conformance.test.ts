import { copilotRequest } from "../../helpers/copilot-request.ts";
import { readChunks, textOf } from "../../helpers/read-chunks.ts";
import { doorSuite } from "../door-suite.ts";

doorSuite("copilot", {
  question: (agent) => ({ path: "/", body: copilotRequest("chat", { agent }) }),
  unknownAgent: "unknown_agent",
  read(stream) {
    const { chunks, isWhole } = readChunks(stream);
    const { error } = chunks.at(-1) ?? {};
    // The sentence is the last piece of the text, for clients that know nothing else.
    const sentence = textOf(chunks.slice(-1)).trim();
    return {
      text: textOf(chunks),
      isWhole,
      error: error === undefined ? undefined : { code: error.code, sentence },
    };
  },
});
