import {
  AppError,
  type Door,
  type TurnAnswer,
  type TurnEvent,
  answerTurn,
  readJson,
  toErrorResponse,
} from "../src/index.ts";

/** `POST /lines/:agent` with `{ "command", "question" }`: the answer is one JSON object a line. */
export const linesDoor: Door = {
  name: "lines",
  mount(app, host) {
    app.post("/lines/:agent", (c) => {
      const { exchange } = c.env;
      const { limits } = host;
      const answer: TurnAnswer = {
        async read({ id, caller, signal }) {
          const { command, question } = check(await readJson(exchange, limits));
          return {
            id,
            agent: c.req.param("agent"),
            definition: undefined,
            command,
            variables: [{ name: "userInputPrompt", value: question }],
            history: [],
            models: [],
            languages: [exchange.header("accept-language")],
            caller,
            signal,
            extra: {},
          };
        },
        encoder:
          ({ locale }) =>
          (event) =>
            printEvent(event, locale),
        refuse: (error, id) => toErrorResponse(error, id),
        // Without it, the stream would be one of server-sent events, with comments in silence.
        form: { type: "application/x-ndjson", silence: "\n" },
      };
      return answerTurn(c, host, answer);
    });
  },
};

function check(body: unknown): { command: string | undefined; question: string } {
  const { command, question } = Object(body) as Record<string, unknown>;
  if (typeof question !== "string") {
    throw new AppError("invalid_request", 'Expected { "question": "..." }.', { param: "question" });
  }
  return { command: typeof command === "string" ? command : undefined, question };
}

/** What a door does not know it leaves out: there may be more kinds of events. */
function printEvent(event: TurnEvent, locale: "en" | "zh"): string {
  switch (event.type) {
    case "text-delta":
      return printLine({ text: event.text });
    case "action":
      return printLine({ next: event.action.data });
    case "turn-error":
      return printLine({
        error: { code: event.error.code, message: event.error.sentence(locale) },
      });
    case "turn-end":
      return printLine({ end: event.reason });
    default:
      return "";
  }
}

function printLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
