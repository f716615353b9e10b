// `rightseat ws` as a process of its own, in front of a real server or of a server that misbehaves.
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { temporaryFolder } from "../cli/call/temporary-folder.ts";
import { cart, lastMessage, startAimock, startMocked } from "../helpers/e2e-aimock.ts";
import { aboutCart, cases, cause, fixed, goodEdit, testFile } from "../helpers/e2e-flow-answers.ts";
import { type Program, spawnCommand } from "../helpers/e2e-process.ts";
import { type TestServer, startRightseat } from "../helpers/e2e-server.ts";
import { unit } from "../helpers/loop-app.ts";

const priced = cart
  .replace("export", 'import { priceOf } from "./price.js";\n\nexport')
  .replace("item.price", "priceOf(item)");
const price = "export function priceOf(item) {\n  return item.price * MARKUP_MARK;\n}\n";

/** A project with `cart.js`, whose function `total` is in its lines 1 to 7. */
function project(): string {
  return temporaryFolder({
    "src/cart.js": cart,
    "src/priced.js": priced,
    "src/price.js": price,
    "package.json": '{ "name": "shop", "devDependencies": { "vitest": "5.0.0" } }',
  });
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

async function end(program: Program): Promise<Ended> {
  onTestFinished(() => program[Symbol.asyncDispose]());
  return { code: await program.exited, out: program.stdout, err: program.stderr };
}

const run = (
  args: readonly string[],
  directory = project(),
  environment: Record<string, string> = {},
): Promise<Ended> => end(spawnCommand(directory, ["ws", ...args], environment));

describe("in front of a server", () => {
  const key = "terminal-key";
  let server: TestServer;
  beforeAll(async () => void (server = await startRightseat({ RIGHTSEAT_PLUGIN_KEYS: key })));
  afterAll(() => server.close());

  test("models lists what the server has, a line each", async () => {
    const { url } = server;
    const byHttp = await run(["models", "--url", url, "--key", key]);
    expect(byHttp).toEqual({ code: 0, out: "offline\n", err: "" });
    const address = `${url.replace("http", "ws")}/ws`;
    expect(await run(["list_model", `--url=${address}`, `--key=${key}`])).toEqual(byHttp);
  });

  test("a key that is wrong or missing is refused with what to do", async () => {
    const hint =
      "Refused with 401 unauthorized: Send a valid key, as X-Api-Key: KEY or ?api_key=KEY.\n" +
      "Give a key that the server knows with --key KEY.\n";
    const wrong = await run(["models", "--url", server.url, "--key", "wrong"]);
    expect(wrong).toEqual({ code: 1, out: "", err: hint });
    expect(await run(["models", "--url", server.url])).toEqual(wrong);
  });

  test("call takes the address of a WebSocket, too, and says which of its options have no place there", async () => {
    const call = async (...args: string[]) =>
      end(spawnCommand(project(), ["call", "explain", ...args, "--language=en"], {}));
    const given = [`--url=${server.url.replace("http", "ws")}`, `--key=${key}`];
    const asked = await call("src/cart.js:1-7", ...given);
    expect(asked).toMatchObject({ code: 0, out: expect.stringContaining("`total`"), err: "" });
    expect(await call("--file=src/cart.js", "--lines=1-7", ...given)).toEqual(asked);
    for (const option of ["--agent=other", "--definition=a.json", "--rules"]) {
      const { code, err } = await call("src/cart.js", ...given, option);
      expect({ code, err }).toEqual({
        code: 1,
        err: `${option.replace(/=.*/, "")} is not for a WebSocket. Leave it out, or name an http address.\n`,
      });
    }
  });

  test("an answer is in the language that was asked for, and in one piece where it was asked for", async () => {
    const args = ["explain", "src/cart.js:1-7", "--url", server.url, "--key", key];
    const chinese = await run([...args, "--language", "zh"]);
    expect(chinese.out).toMatch(/第 1 至 7 行/);
    const raw = await run([...args, "--raw", "--no-stream"]);
    expect(raw.out.split("\n")).toHaveLength(2);
    expect(JSON.parse(raw.out)).toEqual({ request_id: 1, msg: expect.stringContaining("`total`") });
    expect(raw.err).toBe("");
  });

  test("another address of it is refused with a hint", async () => {
    const { code, err } = await run(["models", "--url", `${server.url}/nowhere`, "--key", key]);
    expect(code).toBe(1);
    expect(err).toMatch(/^Refused with 404 .*\nIs --url the address of a WebSocket/);
  });
});

test("a server with a certificate of its own is reached by who trusts that", async () => {
  const file = (name: string): string =>
    fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
  const server = await startRightseat({
    RIGHTSEAT_TLS_CERT: file("cert"),
    RIGHTSEAT_TLS_KEY: file("key"),
  });
  onTestFinished(() => server.close());
  const args = ["models", "--url", server.url];
  const trusting = { NODE_EXTRA_CA_CERTS: file("cert") };
  expect(await run(args, project(), trusting)).toMatchObject({ code: 0, out: "offline\n" });
  const { code, err } = await run(args);
  expect(code).toBe(1);
  expect(err).toMatch(/^The certificate of wss:.* is not trusted \(\w+\)\. .*NODE_EXTRA_CA_CERTS/);
});

describe("with a model", () => {
  test("explain streams the model's answer, and the model saw the selection", async () => {
    const { mock, server } = await startMocked((one) =>
      one.onMessage(
        aboutCart,
        { content: "It adds up prices. 合计。\n" },
        { chunkSize: 4, latency: 100 },
      ),
    );
    const args = ["explain", "src/cart.js:1-7", "--url", server.url];
    expect(await run(args)).toEqual({ code: 0, out: "It adds up prices. 合计。\n", err: "" });
    expect(lastMessage(mock)).toContain(">  4 |     sum =+ item.price;");
    const { out } = await run([...args, "--raw"]);
    const frames = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { msg: string; stream_finsh: boolean });
    expect(frames.length).toBeGreaterThan(2);
    expect(frames.map(({ msg }) => msg).join("")).toBe("It adds up prices. 合计。\n");
    expect(frames.at(-1)?.stream_finsh).toBe(true);
  });

  test("code works on the project, and writes what --yes allows", async () => {
    const edit = {
      target_file: "src/cart.js",
      instructions: "Fix it.",
      code_edit: unit("    sum =+ item.price;", "    sum += item.price;"),
    };
    const steps = [
      { name: "read_file", input: { target_file: "src/cart.js", explanation: "Look." } },
      { name: "edit_file", input: edit },
      { name: "finish", input: { response: "It adds now." } },
    ];
    const model = (mock: LLMock): void => {
      let next = 0;
      mock.on({ predicate: () => true }, () => {
        const { name = "", input = {} } = steps[next++] ?? {};
        return { toolCalls: [{ id: `c${next}`, name, arguments: JSON.stringify(input) }] };
      });
    };
    const work = async (...options: readonly string[]) => {
      const { server } = await startMocked(model);
      const directory = project();
      const args = ["code", "Make total add.", "--url", server.url, "--receipt", ...options];
      const ended = await run(args, directory, { XDG_STATE_HOME: temporaryFolder({}) });
      return { ...ended, text: readFileSync(join(directory, "src/cart.js"), "utf8") };
    };
    const written = await work("--yes");
    expect(written).toMatchObject({ code: 0, text: cart.replace("=+", "+=") });
    expect(written.out).toContain("It adds now.");
    expect(written.out).toContain("Modified");
    expect(written.err).toContain("Allowed by --yes: +++ b/src/cart.js");
    expect(written.err).toContain("/write_file src/cart.js (written)");
    // Nobody is there who could be asked.
    const proposed = await work();
    expect(proposed).toMatchObject({ code: 0, text: cart });
    expect(proposed.out).toContain("+    sum += item.price;");
    expect(proposed.out).not.toContain("Modified");
    expect(proposed.err).not.toContain("/write_file");
  });

  test("fix ends with the code that replaces the selection", async () => {
    const { server } = await startMocked((mock) =>
      mock.onMessage(aboutCart, { content: cause + goodEdit }),
    );
    const { code, out } = await run(["fix", "src/cart.js:2:3", "--url", server.url]);
    expect(code).toBe(0);
    const total = fixed.split("\n").slice(0, 7).join("\n");
    expect(out.endsWith(`\`\`\`javascript\n${total}\n\`\`\`\n`)).toBe(true);
    expect(out).toContain(cause.trim());
  });

  test("unittest asks for cases, answers what the agent asks of the project, and writes the tests", async () => {
    const { mock, server } = await startMocked((one) => {
      one.onMessage(/gives 0 for no items/, { content: testFile });
      one.onMessage(aboutCart, { content: cases });
    });
    const args = ["unittest", "src/priced.js:5", "--receipt", "--url", server.url];
    const { code, out, err } = await run([...args, "--prompt", "WISH_MARK"]);
    expect(code).toBe(0);
    expect(out).toContain("1. happy path: adds two prices of 2 and 3 to 5");
    expect(out).toContain('test("gives 0 for no items"');
    expect(err).toContain("The agent asks /find_def_locations src/priced.js:6:12 (1 found)\n");
    expect(err).toContain(
      `The agent asks /read_file src/price.js (${price.length} characters sent)`,
    );
    expect(lastMessage(mock, 0)).toContain("MARKUP_MARK");
    expect(lastMessage(mock, 0)).toContain("WISH_MARK");
    expect(lastMessage(mock, 1)).toContain("MARKUP_MARK");
  });

  test("a model of the settings here answers where it was lent", async () => {
    const mock = await startAimock((one) => one.onMessage(aboutCart, { content: "Ours says so." }));
    const server = await startRightseat();
    onTestFinished(() => server.close());
    const directory = project();
    const models = [{ name: "r1", baseUrl: `${mock.url}/v1` }];
    writeFileSync(join(directory, "rightseat.json"), JSON.stringify({ models }));
    const args = ["explain", "src/cart.js", "--url", server.url, "--model"];
    expect(await run([...args, "plugin r1"], directory)).toMatchObject({
      code: 0,
      out: "Ours says so.\n",
    });
    const { code, err } = await run([...args, "plugin r2"], directory);
    expect(code).toBe(1);
    expect(err).toContain("The settings here have no model plugin r2 that could answer.");
  });
});

describe("without a server", () => {
  test("the agent runs in this process, with the settings of the folder", async () => {
    const directory = project();
    writeFileSync(join(directory, "rightseat.json"), '{ "locale": "zh", "pluginKeys": ["a-key"] }');
    const { code, out } = await run(["explain", "src/cart.js:1-7"], directory);
    expect(out).toMatch(/第 1 至 7 行/);
    expect(code).toBe(0);
  });

  test("a server that is away is named", async () => {
    const taken = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    taken.close();
    await once(taken, "close");
    expect(await run(["models", "--url", `http://127.0.0.1:${port}`])).toEqual({
      code: 1,
      out: "",
      err: `ws://127.0.0.1:${port} cannot be reached (ECONNREFUSED). Does the server run there?\n`,
    });
  });

  test("what is wrong with the arguments is told before anybody is asked", async () => {
    const wrong: [string[], string][] = [
      [["explain"], "ws explain needs code. Name a file"],
      [["unittest", "src/cart.js"], "There are: total (src/cart.js:1), count (src/cart.js:9)."],
      [["chat"], "ws chat needs a question."],
      [["chat", "src/cart.js"], "ws chat takes no file"],
      [["models", "--url", "127.0.0.1:1"], "--url 127.0.0.1:1 is not an address."],
    ];
    const directory = project();
    const ended = await Promise.all(wrong.map(([args]) => run(args, directory)));
    for (const [nth, { code, out, err }] of ended.entries()) {
      expect(err).toContain(wrong[nth]?.[1]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
    }
  });
});

describe("in front of a server that", () => {
  /** @param serve is called for each connection */
  async function startScripted(serve: (socket: WebSocket, headers: object) => void) {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    server.on("connection", (socket, { headers, url }) => serve(socket, { ...headers, url }));
    await once(server, "listening");
    onTestFinished(() => server.close());
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const frame = (fields: object): string => JSON.stringify(fields);

  test("asks for what is not of the project gets errors, and the answer goes on", async () => {
    const directory = project();
    symlinkSync("/etc/passwd", join(directory, "src/users.txt"));
    const asked = ["/etc/passwd", "src/users.txt", "../", join(directory, "src/price.js")];
    const answers: unknown[] = [];
    const seen: object[] = [];
    const url = await startScripted((socket, head) => {
      seen.push(head);
      socket.on("message", (data) => {
        const message = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
        if (message["cmd"] === undefined) answers.push(message);
        else
          for (const [nth, abspath] of asked.entries())
            socket.send(
              frame({ ide_request_id: `i${nth}`, path: "/read_file", params: { abspath } }),
            );
        if (answers.length === asked.length) socket.send(frame({ request_id: 1, msg: "Done." }));
      });
    });
    const args = ["fix", "src/cart.js:1-7", "--url", url, "--key", "k1"];
    expect(await run(args, directory)).toEqual({ code: 0, out: "Done.\n", err: "" });
    expect(answers).toHaveLength(4);
    expect(answers).toEqual(
      expect.arrayContaining([
        { ide_request_id: "i0", error: expect.stringMatching(/outside of the workspace/) },
        { ide_request_id: "i1", error: expect.stringMatching(/outside of the workspace/) },
        { ide_request_id: "i2", error: expect.stringMatching(/outside of the workspace/) },
        { ide_request_id: "i3", result: price },
      ]),
    );
    expect(seen).toMatchObject([{ url: "/ws", "x-api-key": "k1" }]);
  });

  test("has a full queue, or hangs up, fails with what it said", async () => {
    const full = await startScripted((socket) => {
      socket.on("message", () => {
        socket.send(frame({ request_id: 1, queue_place: 3 }));
        socket.send(frame({ request_id: 1, error: "queue_full", queue_length: 9 }));
      });
    });
    expect(await run(["explain", "src/cart.js", "--url", full])).toEqual({
      code: 1,
      out: "",
      err: "Number 3 in the queue.\nThe queue is full: 9 tasks wait already. Try again later.\n",
    });
    const gone = await startScripted((socket) => {
      socket.send(frame({ request_id: 1, msg: "begun", stream_seq_id: 0, stream_finsh: false }));
      socket.close(1012, "The server restarts.");
    });
    expect(await run(["explain", "src/cart.js", "--url", gone])).toEqual({
      code: 1,
      out: "begun\n",
      err: "The connection ended before the answer was complete (1012: The server restarts.).\n",
    });
  });

  test("is left with Ctrl-C sees a clean goodbye", async () => {
    const { promise: left, resolve } = Promise.withResolvers<number>();
    const url = await startScripted((socket) => {
      socket.on("close", resolve);
      socket.send(frame({ request_id: 1, msg: "begun", stream_seq_id: 0, stream_finsh: false }));
    });
    const program = spawnCommand(project(), ["ws", "explain", "src/cart.js", "--url", url]);
    await program.prints(/begun/);
    program.child.kill("SIGINT");
    expect(await end(program)).toEqual({ code: 130, out: "begun\n", err: "\nStopped.\n" });
    expect(await left).toBe(1000);
  });

  test("writes control characters colours no terminal", async () => {
    const url = await startScripted((socket) => {
      socket.on("message", () => socket.send(frame({ request_id: 1, error: "\u001b[2Jgone" })));
    });
    const { err } = await run(["models", "--url", url]);
    expect(err).toBe("\\x1b[2Jgone\n");
  });
});
