// The page to try the plugin protocol on, in a real browser: answers that are long, hostile, broken or endless.
import type { WebSocketRoute } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  answerOf,
  connect,
  framesOf,
  progressOf,
  send,
  startBefore,
  startPages,
  statusOf,
  printChunk,
} from "../helpers/e2e-test-page.ts";
import { type Answer, eventStream } from "../helpers/e2e-upstream.ts";
import type { Frame } from "../helpers/plugin-client.ts";

const open = startPages();

const frame = (fields: Frame): string => JSON.stringify(fields);

/** A page whose requests are answered by the test, in place of a server. */
async function openBefore(answer: (socket: WebSocketRoute, request: Frame) => void) {
  const opened = await open();
  await opened.page.routeWebSocket(/\/ws$/, (socket) => {
    socket.onMessage((text) => {
      const request = JSON.parse(String(text)) as Frame;
      if (request["cmd"] !== "list_model") answer(socket, request);
    });
  });
  await opened.page.reload();
  await connect(opened.page);
  return opened;
}

test("a command that fails shows its error", async () => {
  const { server: own } = await startBefore(({ socket }) => {
    socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
  });
  const { page } = await open({ own });
  await connect(page);
  await page.getByLabel("Command").selectOption("exec_chat");
  await page.getByLabel("Message").fill("Hello?");
  await page.getByLabel("Message").press("Control+Enter");
  await expect.poll(() => progressOf(page)).toBe("exec_chat failed");
  const { error } = (await framesOf(page)).at(-1) ?? {};
  expect(await page.getByRole("alert").textContent()).toBe(error);
});

describe("a task that still runs", () => {
  const hang: Answer = ({ socket }) => void socket.write(eventStream + printChunk("It begins "));

  test("is ended by Cancel, and the page connects again", async () => {
    const { upstream, server: own } = await startBefore(hang);
    const { page } = await open({ own });
    await connect(page);
    await send(page, "exec_explain");
    await expect.poll(() => answerOf(page)).toBe("It begins ");
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("alert").textContent()).toBe("You cancelled this request.");
    await expect.poll(() => upstream.open).toBe(0);
    await expect.poll(() => statusOf(page)).toContain("Connected. Models");
    expect(await answerOf(page)).toBe("It begins ");
  });

  test("is cancelled by the next one, whose answer alone is shown", async () => {
    const { server: own } = await startBefore((connection, count) => {
      if (count === 1) return hang(connection, count);
      connection.socket.end(`${eventStream}${printChunk("Second.", "stop")}data: [DONE]\n\n`);
    });
    const { page } = await open({ own });
    await connect(page);
    await send(page, "exec_explain");
    await expect.poll(() => answerOf(page)).toBe("It begins ");
    await send(page, "exec_explain");
    await expect.poll(() => progressOf(page)).toMatch(/^exec_explain: /);
    expect(await answerOf(page)).toBe("Second.");
    expect((await framesOf(page)).filter(({ error }) => error === "cancelled")).toHaveLength(1);
  });

  test("ends with a server that stops, and the person is told both", async () => {
    const { server: own } = await startBefore(hang, { RIGHTSEAT_DRAIN_TIMEOUT_MS: "50" });
    const { page } = await open({ own });
    await connect(page);
    await send(page, "exec_explain");
    await expect.poll(() => answerOf(page)).toBe("It begins ");
    await own.close();
    await expect.poll(() => statusOf(page)).toContain("The server is restarting.");
    expect(await page.getByRole("alert").isVisible()).toBe(true);
  });
});

describe("what comes", () => {
  test("is text, whatever it looks like", async () => {
    const evil =
      "<img src=x onerror=globalThis.PWNED=1><script>globalThis.PWNED=1</script>![x](http://evil.example/x)";
    const { server: own } = await startBefore(({ socket }) => {
      socket.end(`${eventStream}${printChunk(evil, "stop")}data: [DONE]\n\n`);
    });
    const { page } = await open({ own });
    await connect(page);
    await page.getByLabel("Code of the file").fill(evil);
    await page.getByLabel("Path of the file").fill(evil);
    await send(page, "exec_explain");
    await expect.poll(() => answerOf(page)).toBe(evil);
    expect((await framesOf(page)).filter(({ msg }) => msg === evil)).toHaveLength(1);
    await page.getByLabel("Language").selectOption("zh");
    expect(await page.evaluate("globalThis.PWNED")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);
  });

  test("is kept to the last 500 frames, and the answer whole", async () => {
    const { page } = await openBefore((socket, { request_id: id }) => {
      for (let nth = 0; nth < 700; nth += 1)
        socket.send(
          frame({ request_id: id, msg: `${nth} `, stream_seq_id: nth, stream_finsh: false }),
        );
      socket.send(frame({ request_id: id, msg: "", stream_seq_id: 700, stream_finsh: true }));
    });
    await send(page, "exec_explain");
    await expect.poll(() => progressOf(page)).toMatch(/^exec_explain: 701 frames/);
    expect(await answerOf(page)).toBe(Array.from({ length: 700 }, (_, nth) => `${nth} `).join(""));
    const frames = await framesOf(page);
    expect(frames).toHaveLength(500);
    expect(frames.at(-1)).toMatchObject({ stream_seq_id: 700 });
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await framesOf(page)).toEqual([]);
  });

  test("is cut in the list of frames where it is very long", async () => {
    const msg = "long ".repeat(100_000);
    const { page } = await openBefore((socket, { request_id: id }) => {
      socket.send(frame({ request_id: id, msg }));
    });
    await send(page, "exec_explain");
    await expect.poll(() => answerOf(page)).toBe(msg);
    const shown = await page.locator("#frames pre").last().textContent();
    expect(shown?.length).toBeLessThan(21_000);
    expect(shown).toMatch(/… and \d+ more characters$/);
  });

  test("is shown, also if it is no frame", async () => {
    const texts = ["no JSON", "null", "7", '"text"', "[]"];
    const { page } = await openBefore((socket, { request_id: id }) => {
      for (const text of texts) socket.send(text);
      socket.send(frame({ request_id: id, msg: "After them." }));
    });
    await send(page, "exec_explain");
    await expect.poll(() => answerOf(page)).toBe("After them.");
    expect(await page.locator("#frames pre").allTextContents()).toEqual(
      expect.arrayContaining(texts),
    );
  });

  test("is told as a place in the queue, in the language of the page", async () => {
    const { page } = await openBefore((socket, { request_id: id }) => {
      socket.send(frame({ request_id: id, queue_place: 3 }));
    });
    await send(page, "exec_explain");
    await expect.poll(() => progressOf(page)).toBe("Waiting, place 3 in the queue");
    await page.getByLabel("Language").selectOption("zh");
    expect(await progressOf(page)).toBe("正在排队，第 3 位");
  });
});

test.each([
  [1012, "The server is restarting. Connect again in a moment."],
  [1013, "The server had to wait too long for this page. Connect again."],
  [4408, "There was no request for too long. Connect again."],
  [4429, "This key has too many connections open. Close one and connect again."],
  [4999, "The server closed the connection: 4999 for a reason"],
])("a connection that is closed with %i says why", async (code, words) => {
  const { page } = await openBefore(
    (socket) => void socket.close({ code, reason: "for a reason" }),
  );
  await send(page, "exec_explain");
  await expect.poll(() => statusOf(page)).toBe(words);
  expect(await page.getByRole("alert").textContent()).toContain("ended before the answer did");
  expect(await page.getByRole("button", { name: "Connect" }).isEnabled()).toBe(true);
});
