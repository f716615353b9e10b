// Sockets of sessions in workerd: a Durable Object holds those of one session.
import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { type Message, line, readEvents, task } from "../helpers/session-client.ts";

/** The runtime's own: its types would replace the web's. */
interface RuntimeSocket extends EventTarget {
  accept(): void;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

const url = "https://rightseat.example.workers.dev";

function ask(path: string, body?: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const init = body && { method: "POST", headers, body: JSON.stringify(body) };
  return exports.default.fetch(new Request(url + path, init));
}

async function begin(): Promise<string> {
  const { id } = (await (await ask("/api/init", { systemPrompt: "Be brief." })).json()) as {
    id: string;
  };
  return id;
}

function upgrade(query: string): Promise<Response> {
  const headers = { upgrade: "websocket" };
  return exports.default.fetch(new Request(`${url}/api/chat?${query}`, { headers }));
}

async function connect(id: string, more = "") {
  const response = await upgrade(`id=${id}${more}`);
  expect(response.status).toBe(101);
  const socket = Reflect.get(response, "webSocket") as RuntimeSocket;
  const texts: string[] = [];
  let wake = (): void => undefined;
  socket.addEventListener("message", (event) => {
    texts.push(String(Reflect.get(event, "data")));
    wake();
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", (event) => resolve(Number(Reflect.get(event, "code"))));
  });
  socket.accept();
  const next = async (): Promise<string> => {
    while (texts.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return texts.shift() ?? "";
  };
  return {
    socket,
    closed,
    next,
    async until(said: string): Promise<Message[]> {
      for (const messages: Message[] = []; ;) {
        const message = JSON.parse(await next()) as Message;
        messages.push(message);
        if (message["message"] === said) return messages;
      }
    },
  };
}

async function history(id: string): Promise<Message[]> {
  return (await (await ask(`/api/history?id=${id}`)).json()) as Message[];
}

test("a task of a socket is answered, and all sockets of the session hear it", async () => {
  const id = await begin();
  const [one, other] = [await connect(id), await connect(id)];
  one.socket.send("ping");
  expect(await one.next()).toBe("pong");
  one.socket.send(JSON.stringify(task("你好 😀", "one")));
  const messages = await one.until("[TASK_DONE]");
  expect(messages.slice(0, 2).map(line)).toEqual([
    "agent>client [TASK_START]",
    "user>agent 你好 😀",
  ]);
  expect(await other.until("[TASK_DONE]")).toEqual(messages);
  expect(await history(id)).toEqual(messages);
  // A task of a POST runs elsewhere, and is heard here.
  const events = await readEvents(await ask(`/api/chat?id=${id}`, task("And now?", "two")));
  expect(await one.until("[TASK_DONE]")).toEqual(events.map(({ message }) => message));
  one.socket.close(3000, "done");
  expect(await one.closed).toBe(3000);
});

test("a task goes on when its client leaves, and who comes back misses nothing", async () => {
  const id = await begin();
  const first = await connect(id);
  first.socket.send(JSON.stringify(task("Hi", "one")));
  await first.next();
  first.socket.close();
  const second = await connect(id, "&after=-1");
  expect((await second.until("[TASK_DONE]")).map(line)).toEqual((await history(id)).map(line));
  second.socket.close();
  const { length } = await history(id);
  const third = await connect(id, `&after=${length - 2}`);
  expect(line((await third.until("[TASK_DONE]"))[0] ?? {})).toBe("agent>client [TASK_DONE]");
  third.socket.send(JSON.stringify(task("Again", "two")));
  const messages = await third.until("[TASK_DONE]");
  expect((await history(id)).slice(length)).toEqual(messages);
});

test("clear closes the sockets; one of an unknown session is refused", async () => {
  const id = await begin();
  const client = await connect(id);
  await ask(`/api/clear?id=${id}`);
  expect(await client.closed).toBe(1000);
  expect((await upgrade("id=unknown")).status).toBe(404);
});
