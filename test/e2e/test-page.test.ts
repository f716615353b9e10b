// The page to try the plugin protocol on, in a real browser: what a person does on it.
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startRightseat } from "../helpers/e2e-server.ts";
import {
  answerOf,
  connect,
  framesOf,
  pageSettings,
  progressOf,
  send,
  sentBy,
  startPages,
  statusOf,
} from "../helpers/e2e-test-page.ts";

const open = startPages();

describe("a key", () => {
  test("that is wrong is told, and the right one then lets in and lists the models", async () => {
    const { page } = await open();
    await connect(page, "wrong-key");
    await expect
      .poll(() => statusOf(page))
      .toBe("The key is missing or wrong. Check it and connect again.");
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await connect(page);
    await expect.poll(() => statusOf(page)).toBe("Connected. Models: offline");
    expect(await page.locator("#models option").getAttribute("value")).toBe("offline");
    await page.getByRole("button", { name: "Disconnect" }).click();
    await expect.poll(() => statusOf(page)).toBe("Not connected");
  });

  test("of any letters is shown to the server, and nowhere else", async () => {
    const key = "schlüssel-密钥-???>>>";
    const own = await startRightseat({ ...pageSettings, RIGHTSEAT_PLUGIN_KEYS: key });
    onTestFinished(() => own.close());
    const { page, requested } = await open({ own });
    await connect(page, key);
    await expect.poll(() => statusOf(page)).toContain("Connected");
    expect(requested).toEqual([`${own.url}/simpletest2025`, `${own.url.replace("http", "ws")}/ws`]);
    const stored = "JSON.stringify([localStorage, sessionStorage, document.cookie])";
    expect(await page.evaluate(stored)).toBe('[{},{},""]');
    expect(await page.content()).not.toContain(key);
  });

  test("travels over wss where the server has a certificate", async () => {
    const file = (name: string) =>
      fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
    const tls = { RIGHTSEAT_TLS_CERT: file("cert"), RIGHTSEAT_TLS_KEY: file("key") };
    const own = await startRightseat({ ...pageSettings, ...tls });
    onTestFinished(() => own.close());
    const { page, requested } = await open({ own, ignoreHTTPSErrors: true });
    await connect(page);
    await expect.poll(() => statusOf(page)).toContain("Connected");
    expect(requested.at(-1)).toMatch(/^wss:/);
  });

  test("with too many connections is told so", async () => {
    const own = await startRightseat({ ...pageSettings, RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "1" });
    onTestFinished(() => own.close());
    const [{ page: first }, { page: second }] = [await open({ own }), await open({ own })];
    await connect(first);
    await expect.poll(() => statusOf(first)).toContain("Connected");
    await connect(second);
    await expect.poll(() => statusOf(second)).toContain("too many connections");
  });
});

describe("a command", () => {
  test("is streamed, and all its frames are seen", async () => {
    const { page } = await open();
    await connect(page);
    await send(page, "exec_explain");
    await expect.poll(() => progressOf(page)).toMatch(/^exec_explain: \d+ frames in \d/);
    const frames = await framesOf(page);
    const texts = frames.flatMap(({ msg }) => (typeof msg === "string" ? [msg] : []));
    expect(texts.length).toBeGreaterThan(2);
    expect(await answerOf(page)).toBe(texts.join(""));
    expect(await answerOf(page)).toContain("function `total`");
    expect(frames.at(-1)).toMatchObject({ stream_finsh: true });
  });

  test("is answered at once where streaming is off, about the lines that are chosen", async () => {
    const { page } = await open();
    await connect(page);
    await page.getByLabel("Stream the answer").uncheck();
    await page.getByLabel("From line").fill("4");
    await page.getByLabel("From line").blur();
    await send(page, "exec_fix");
    await expect.poll(() => progressOf(page)).toMatch(/^exec_fix: 1 frames/);
    expect(await answerOf(page)).toContain("sum += item.price;");
    expect(await sentBy(page, "exec_fix")).toMatchObject({
      stream: false,
      language: "en",
      selected_text: {
        filepath: "src/cart.js",
        range: { start: { line: 3, character: 0 }, end: { line: 3, character: 22 } },
        text: "    sum =+ item.price;",
      },
    });
  });

  test("takes what is selected in the code", async () => {
    const { page } = await open();
    await connect(page);
    await page.getByLabel("Code of the file").fill("α = 1\nb = '𝒳'\nc");
    await page.getByLabel("Code of the file").press("Control+Home");
    for (const key of ["ArrowRight", "Shift+ArrowDown", "Shift+End"])
      await page.getByLabel("Code of the file").press(key);
    expect(await page.getByLabel("To line").inputValue()).toBe("2");
    await send(page, "exec_explain");
    expect(await sentBy(page, "exec_explain")).toMatchObject({
      selected_text: {
        range: { start: { line: 0, character: 1 }, end: { line: 1, character: 8 } },
        text: " = 1\nb = '𝒳'",
      },
      visible_text: { text: "α = 1\nb = '𝒳'\nc" },
    });
  });

  test("writes the tests that another one has recommended", async () => {
    const { page } = await open();
    await connect(page);
    await send(page, "exec_unittest_recommend");
    await expect.poll(() => progressOf(page)).toContain("exec_unittest_code: choose it");
    const cases = await answerOf(page);
    const last = (await framesOf(page)).at(-1);
    await send(page, "exec_unittest_code");
    await expect.poll(() => progressOf(page)).toMatch(/^exec_unittest_code: /);
    expect(await answerOf(page)).toContain('test("');
    expect(await sentBy(page, "exec_unittest_code")).toMatchObject({
      test_cases_str: cases,
      task_id: last?.["task_id"],
      function_name: "total",
      file_path: "src/cart.js",
    });
    expect(last?.["task_id"]).toMatch(/\w/);
  });

  test("of a model that the page would have to run is refused", async () => {
    const { page } = await open();
    await connect(page);
    await page.getByLabel("Model").fill("plugin x");
    await send(page, "exec_explain");
    await expect.poll(() => progressOf(page)).toBe("exec_explain failed");
    const { llm_request_id: id } = (await sentBy(page, "llm_chat")) ?? {};
    expect(await framesOf(page)).toContainEqual({
      llm_request_id: id,
      error: "The test page runs no models.",
    });
  });
});

test("a Chinese browser sees Chinese, and is answered in it, until English is chosen", async () => {
  const { page } = await open({ locale: "zh-CN" });
  expect(await page.title()).toBe("Rightseat 测试页");
  await page.getByLabel("密钥").fill("right-key");
  await page.getByRole("button", { name: "连接" }).click();
  await expect.poll(() => statusOf(page)).toBe("已连接。模型：offline");
  await page.getByRole("button", { name: "发送" }).click();
  await expect.poll(() => progressOf(page)).toMatch(/^exec_explain：\d+ 帧/);
  expect(await sentBy(page, "exec_explain")).toMatchObject({ language: "zh" });
  expect(await page.locator("body").innerText()).not.toMatch(/undefined|\[object/);
  await page.getByLabel("页面和回答的语言").selectOption("en");
  expect(await statusOf(page)).toBe("Connected. Models: offline");
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
});

test("the keyboard alone is enough, and what has the focus says what it is", async () => {
  const { page } = await open();
  const focused = "document.activeElement.id";
  const tabTo = async (id: string): Promise<void> => {
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(focused)) === id) return;
    }
    throw new Error(`Tab does not reach ${id}.`);
  };
  await tabTo("key");
  await page.keyboard.type("right-key");
  await page.keyboard.press("Enter");
  await expect.poll(() => statusOf(page)).toContain("Connected.");
  await tabTo("command");
  await page.keyboard.press("ArrowUp");
  const command = page.getByLabel("Command");
  for (let presses = 0; presses < 10 && (await command.inputValue()) !== "exec_fix"; presses += 1)
    await page.keyboard.press("ArrowDown");
  expect(await command.inputValue()).toBe("exec_fix");
  await tabTo("from");
  await page.keyboard.type("4");
  await tabTo("send");
  await page.keyboard.press("Enter");
  await expect.poll(() => progressOf(page)).toMatch(/^exec_fix: /);
  expect(await answerOf(page)).toContain("sum += item.price;");
  await tabTo("answer");
  await tabTo("frames");
});

test("on a narrow screen nothing is cut off", async () => {
  const { page } = await open({ viewport: { width: 400, height: 800 } });
  for (const command of ["exec_explain", "exec_unittest_recommend", "exec_unittest_code"]) {
    await page.getByLabel("Command").selectOption(command);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
  }
});
