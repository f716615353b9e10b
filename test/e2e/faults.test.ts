// Every way in which a model's server can fail, on real sockets. The server echoes the credentials
// that it got wherever it can, so that a leak of its words would show.
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { captureLog } from "../helpers/e2e-log.ts";
import { type Answer, ask, readAnswer, startRightseat } from "../helpers/e2e-server.ts";
import {
  type Answer as UpstreamAnswer,
  type Connection,
  eventStream,
  response,
  startUpstream,
} from "../helpers/e2e-upstream.ts";
import { chunk, frame } from "../helpers/upstream.ts";
import type { TestSettings } from "../helpers/test-settings.ts";

const ourKey = "sk-ours-5b1f0c";
const personToken = "person-token-77ae31";
const callerKey = "caller-key-90cc12";
const canary = "CANARY-OF-THE-UPSTREAM";

const said = "Hello 世界";
const firstFrame = frame(chunk({ role: "assistant", content: said }));
const idle = 400;

let log: readonly string[];
beforeAll(async () => {
  log = await captureLog();
});

interface Kind {
  kind: string;
  settings: (url: string) => Record<string, string>;
}

/** Gets the person's token. */
const platform: Kind = {
  kind: "the platform's model",
  settings: (url) => ({ RIGHTSEAT_PLATFORM_ENDPOINT: url }),
};

/** Gets a key of ours. */
const compatible: Kind = {
  kind: "an OpenAI-compatible model",
  settings: (url) => ({ RIGHTSEAT_OPENAI_BASE_URL: url, RIGHTSEAT_OPENAI_API_KEY: ourKey }),
};

const kinds = [platform, compatible];

interface Outcome {
  answer: Answer;
  /** Bytes that the upstream could send. */
  sent: number;
  tries: number;
}

type Play = (connection: Connection, clientHasText: Promise<void>) => void | Promise<void>;

async function run(kind: Kind, play: Play, more: TestSettings = {}): Promise<Outcome> {
  const { promise: clientHasText, resolve } = Promise.withResolvers<void>();
  const answerUpstream: UpstreamAnswer = (connection) => play(connection, clientHasText);
  await using upstream = await startUpstream(answerUpstream);
  await using server = await startRightseat({
    ...kind.settings(upstream.url),
    RIGHTSEAT_API_KEYS: callerKey,
    retryBackoff: 20,
    firstByteHold: 5_000,
    RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS: String(idle),
    RIGHTSEAT_IDLE_TIMEOUT_MS: String(idle),
    ...more,
  });
  const answer = await ask(server.url, {
    headers: { "x-api-key": callerKey, authorization: `Bearer ${personToken}` },
    onText: (text) => {
      if (text.includes(said)) resolve();
    },
  });
  await vi.waitFor(() => expect(upstream.open).toBe(0), 10_000);
  expectNoSecrets(answer);
  expect(upstream.requests.length).toBeGreaterThan(0);
  return {
    answer,
    sent: upstream.sent,
    tries: upstream.requests.length,
  };
}

function expectNoSecrets({ text, headers }: Answer): void {
  const answered = [text, JSON.stringify([...headers])].join("\n");
  // The operator may read what the model's server said, without any key in it.
  expect(answered).not.toContain(canary);
  const everything = [answered, ...log].join("\n");
  for (const secret of [ourKey, personToken, callerKey]) {
    expect(everything).not.toContain(secret);
  }
}

function expectRefusal({ answer }: Outcome, status: number, code: string | RegExp): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(JSON.parse(answer.text)).toEqual({
    error: {
      type: status === 429 ? "rate_limit_error" : "upstream_error",
      code: expect.stringMatching(code),
      message: expect.any(String),
      request_id: answer.headers.get("x-request-id"),
    },
  });
}

function expectErrorChunk({ answer }: Outcome, code: string | RegExp): void {
  expect(answer.status).toBe(200);
  const { said: all, reasons, error } = readAnswer(answer.text);
  expect(all.startsWith(said)).toBe(true);
  expect(all.length).toBeGreaterThan(said.length);
  expect(reasons).toEqual(["error"]);
  expect(error).toEqual({
    type: "upstream_error",
    code: expect.stringMatching(code),
    message: expect.any(String),
    request_id: answer.headers.get("x-request-id"),
  });
}

const echo = ({ request }: Connection): string =>
  JSON.stringify({ error: { message: `${canary} ${request.headers["authorization"] ?? ""}` } });

const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunkedStream =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const halfCharacter = Buffer.from(frame(chunk({ content: "汉" }))).subarray(0, -100);
/** What comes after the head of the stream, whether text went before it or not. */
const breaks: {
  fault: string;
  code: string | RegExp;
  /** Where it is not that of every event stream. */
  head?: string;
  first?: string;
  play: (connection: Connection) => void;
}[] = [
  { fault: "a TCP reset", code: "upstream_truncated", play: ({ reset }) => reset() },
  {
    fault: "an end without finish reason",
    code: "upstream_truncated",
    play: ({ socket }) => socket.end(),
  },
  {
    fault: "an end before the promised content-length",
    code: "upstream_truncated",
    head: "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9000\r\n\r\n",
    play: ({ socket }) => socket.end(),
  },
  {
    fault: "a bad chunk size",
    code: "upstream_truncated",
    head: chunkedStream,
    first: chunked(firstFrame),
    play: ({ socket }) => socket.end(`zz\r\n${firstFrame}\r\n`),
  },
  {
    fault: "a body that ends inside a chunk",
    code: "upstream_truncated",
    head: chunkedStream,
    first: chunked(firstFrame),
    play: ({ socket }) => socket.end(`ff\r\n${firstFrame.slice(0, 20)}`),
  },
  {
    fault: "an end inside a character",
    code: /^upstream_(?:invalid|truncated)$/,
    play({ socket }) {
      const cut = halfCharacter.indexOf(0xe6);
      socket.end(halfCharacter.subarray(0, cut + 2));
    },
  },
  {
    fault: "an error object",
    code: "upstream_error",
    play: (connection) => connection.socket.end(frame(echo(connection))),
  },
];

describe.each(kinds)("of $kind", (kind) => {
  describe.concurrent.each(breaks)("$fault", ({ code, head = eventStream, first, play }) => {
    test("in the middle of the answer is an error chunk", async () => {
      const outcome = await run(kind, async (connection, clientHasText) => {
        connection.socket.write(head + (first ?? firstFrame));
        await clientHasText;
        play(connection);
      });
      expectErrorChunk(outcome, code);
    });

    test("before any text is a 502", async () => {
      const outcome = await run(kind, (connection) => {
        connection.socket.write(head);
        play(connection);
      });
      expectRefusal(outcome, 502, code === "upstream_truncated" ? /^upstream_/ : code);
    });
  });
});

const json = "content-type: application/json";
const sse = "content-type: text/event-stream";

/** What is no event stream from its head on. */
const refusals: {
  fault: string;
  code: string;
  status?: number;
  tries?: number;
  play: (connection: Connection) => void;
}[] = [
  {
    fault: "a reset before the head",
    code: "upstream_unreachable",
    tries: 2,
    play: ({ reset }) => reset(),
  },
  {
    fault: "an end before the head",
    code: "upstream_unreachable",
    tries: 2,
    play: ({ socket }) => void socket.end(),
  },
  {
    fault: "what is no HTTP",
    code: "upstream_unreachable",
    tries: 2,
    play: ({ socket }) => void socket.end(`SSH-2.0-${canary}\r\n\r\n`),
  },
  {
    fault: "JSON",
    code: "upstream_invalid",
    play: (connection) => void connection.socket.end(response("200 OK", [json], echo(connection))),
  },
  {
    fault: "an empty event stream",
    code: "upstream_truncated",
    play: ({ socket }) => void socket.end(response("200 OK", [sse])),
  },
  {
    fault: "a head of 100 kB",
    code: "upstream_unreachable",
    tries: 2,
    play: ({ socket }) =>
      void socket.end(response("200 OK", [sse, `x-filler: ${"a".repeat(100_000)}`], firstFrame)),
  },
  {
    fault: "a gzipped event stream",
    code: "upstream_invalid",
    play({ socket }) {
      const packed = gzipSync(firstFrame);
      socket.write(
        response("200 OK", [sse, "content-encoding: gzip"]).replace(
          /length: 0/,
          `length: ${packed.byteLength}`,
        ),
      );
      socket.end(packed);
    },
  },
  ...[
    { line: "401 Unauthorized", code: "upstream_refused", tries: 1 },
    { line: "500 Internal Server Error", code: "upstream_error", tries: 2 },
  ].map(({ line, code, tries }) => ({
    fault: line,
    code,
    tries,
    play: (connection: Connection) =>
      void connection.socket.end(response(line, [json], echo(connection))),
  })),
];

describe.concurrent.each(kinds)("from $kind", (kind) => {
  test.each(refusals)("$fault is a 502", async ({ code, tries = 1, play }) => {
    const outcome = await run(kind, play);
    expectRefusal(outcome, 502, code);
    expect(outcome.tries).toBe(tries);
  });

  test("500 after the hold is a 200 that ends in an error chunk", async () => {
    const { promise: clientHasHead, resolve } = Promise.withResolvers<void>();
    await using upstream = await startUpstream(async (connection) => {
      await clientHasHead;
      connection.socket.end(response("500 Internal Server Error", [json], echo(connection)));
    });
    await using server = await startRightseat({
      ...kind.settings(upstream.url),
      firstByteHold: 50,
      RIGHTSEAT_RETRIES: "0",
    });
    const answer = await ask(server.url, {
      headers: { authorization: `Bearer ${personToken}` },
      onText: () => resolve(),
    });
    expect(answer.status).toBe(200);
    const { reasons, error } = readAnswer(answer.text);
    expect(reasons).toEqual(["error"]);
    expect(error?.code).toBe("upstream_error");
    expectNoSecrets(answer);
  });

  test.each([
    ["429 Too Many Requests", 429, "rate_limited"],
    ["503 Service Unavailable", 502, "upstream_error"],
  ])(
    "%s is told as a status after the hold, too, while the model is asked again",
    async (line, status, code) => {
      let tries = 0;
      await using upstream = await startUpstream(async (connection) => {
        tries += 1;
        // Much longer than the hold.
        if (tries === 2) await new Promise((resume) => setTimeout(resume, 1_500));
        connection.socket.end(response(line, [json, "retry-after: 0"], echo(connection)));
      });
      await using server = await startRightseat({
        ...kind.settings(upstream.url),
        firstByteHold: 600,
        RIGHTSEAT_RETRIES: "1",
      });
      const answer = await ask(server.url, { headers: { authorization: `Bearer ${personToken}` } });
      expect([answer.status, tries]).toEqual([status, 2]);
      expect(answer.text).toContain(`"${code}"`);
    },
  );

  test("429 with a Retry-After of an hour is a 429 that says so", async () => {
    const outcome = await run(kind, (connection) => {
      const head = [json, "retry-after: 3600"];
      connection.socket.end(response("429 Too Many Requests", head, echo(connection)));
    });
    expectRefusal(outcome, 429, "rate_limited");
    expect(outcome.answer.headers.get("retry-after")).toBe("3600");
    expect(outcome.tries).toBeLessThanOrEqual(2);
  });

  test.each(["0.4", "Wed, 21 Oct 2065 07:28:00 GMT", "soon", "-1"])(
    "429 with Retry-After %s is a 429 with whole seconds",
    async (retryAfter) => {
      const outcome = await run(
        kind,
        ({ socket }) => {
          socket.end(response("429 Too Many Requests", [json, `retry-after: ${retryAfter}`]));
        },
        { RIGHTSEAT_FIRST_TOKEN_TIMEOUT_MS: "20000" },
      );
      expectRefusal(outcome, 429, "rate_limited");
      expect(outcome.answer.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(outcome.tries).toBeLessThanOrEqual(2);
    },
  );

  test.each(["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect"])(
    "%s to another server is a 502, and that server is never contacted",
    async (line) => {
      await using other = await startUpstream(({ socket }) => void socket.end(eventStream));
      const outcome = await run(kind, ({ socket }) => {
        socket.end(response(line, [`location: ${other.url}/v1/chat/completions`]));
      });
      expectRefusal(outcome, 502, "upstream_invalid");
      expect(other.connections).toBe(0);
    },
  );
});

describe.concurrent("a model that stalls", () => {
  test("before its head is a 504 at the limit of the first event", async () => {
    const outcome = await run(platform, () => undefined);
    expectRefusal(outcome, 504, "upstream_timeout");
    expect(outcome.tries).toBe(1);
  });

  test("after its head is a 504", async () => {
    const outcome = await run(platform, ({ socket }) => void socket.write(eventStream));
    expectRefusal(outcome, 504, "upstream_timeout");
  });

  test("in the middle of its answer ends in an error chunk at the idle limit", async () => {
    const outcome = await run(platform, ({ socket }) => {
      socket.write(eventStream + firstFrame);
    });
    expectErrorChunk(outcome, "upstream_timeout");
  });

  test("in the middle of an event ends in an error chunk", async () => {
    const outcome = await run(platform, ({ socket }) => {
      socket.write(eventStream + firstFrame + firstFrame.slice(0, -20));
    });
    expectErrorChunk(outcome, "upstream_timeout");
  });

  test.each([
    { when: "before its first event", first: "" },
    { when: "in the middle of its answer", first: firstFrame },
  ])("$when but sends comments is no less silent", async ({ first }) => {
    const outcome = await run(platform, ({ socket }) => {
      socket.write(eventStream + first);
      const timer = setInterval(() => socket.write(": still here\n\n"), 50);
      socket.once("close", () => clearInterval(timer));
    });
    if (first === "") expectRefusal(outcome, 504, "upstream_timeout");
    else expectErrorChunk(outcome, "upstream_timeout");
  });
});

const mostPulled = 24 * 1024 * 1024;
const filler = "a".repeat(64 * 1024);

describe("a model without end", () => {
  // One after the other, since each takes all of a core.
  test.each([
    { fault: "one line", start: 'data: {"a":"', piece: filler, code: "upstream_invalid" },
    { fault: "one event", start: "", piece: `data: ${filler}\n`, code: "upstream_invalid" },
  ])("that sends $fault is cut off early", async ({ start, piece, code }) => {
    const outcome = await run(
      platform,
      async ({ socket, flood }, clientHasText) => {
        socket.write(eventStream + firstFrame);
        await clientHasText;
        socket.write(start);
        await flood(piece);
      },
      { RIGHTSEAT_IDLE_TIMEOUT_MS: "20000" },
    );
    expectErrorChunk(outcome, code);
    expect(outcome.sent).toBeLessThan(mostPulled);
  });

  test("that sends comments is cut off at the idle limit or at the limit of bytes", async () => {
    const outcome = await run(platform, async ({ socket, flood }, clientHasText) => {
      socket.write(eventStream + firstFrame);
      await clientHasText;
      await flood(": comment\n\n".repeat(5_000));
    });
    expectErrorChunk(outcome, /^upstream_(?:timeout|too_large)$/);
  });

  test("that sends a gzip bomb is refused before anything is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 97));
    const outcome = await run(platform, async ({ socket, flood }) => {
      socket.write(eventStream.replace("\r\n\r\n", "\r\ncontent-encoding: gzip\r\n\r\n"));
      await flood(bomb);
    });
    expectRefusal(outcome, 502, "upstream_invalid");
    expect(outcome.sent).toBeLessThan(mostPulled);
  });
});

test("the failures above are in the log, each with its code", () => {
  const turns = log.filter((line) => line.includes("upstream_"));
  expect(turns.length).toBeGreaterThan(20);
});
