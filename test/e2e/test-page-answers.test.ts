// The page to try the plugin protocol on, in a real browser: answers that are long, hostile, broken or endless.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBrowser } from "../helpers/e2e-browser.ts";
import {
  answerOf,
  connect,
  framesOf,
  openTestPage,
  progressOf,
  send,
  startBefore,
  statusOf,
  printChunk,
} from "../helpers/e2e-test-page.ts";
import { type Answer, eventStream } from "../helpers/e2e-upstream.ts";

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

test("a command that fails shows its error", async () => {
  const { server: own } = await startBefore(({ socket }) => {
    socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
  });
  const { page } = await openTestPage(browser, own);
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
    const { page } = await openTestPage(browser, own);
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
    const { page } = await openTestPage(browser, own);
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
    const { page } = await openTestPage(browser, own);
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
    const { page } = await openTestPage(browser, own);
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
    const { server: own } = await startBefore(async ({ socket }) => {
      socket.write(eventStream);
      for (let nth = 1; nth <= 2_000; nth += 1) {
        socket.write(printChunk(`${nth} `));
        if (nth % 50 === 0) await new Promise(setImmediate);
      }
      socket.end(`${printChunk("", "stop")}data: [DONE]\n\n`);
    });
    const { page } = await openTestPage(browser, own);
    await connect(page);
    await send(page, "exec_explain");
    await expect.poll(() => progressOf(page)).toMatch(/^exec_explain: /);
    const all = Array.from({ length: 2_000 }, (_, nth) => `${nth + 1} `).join("");
    await expect.poll(() => answerOf(page)).toBe(all);
    const frames = await framesOf(page);
    expect(frames.length).toBeLessThanOrEqual(500);
    expect(frames.at(-1)).toMatchObject({ stream_finsh: true });
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await framesOf(page)).toEqual([]);
  });
});
