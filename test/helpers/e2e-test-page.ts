// What a person does on the test page of plugins, and what they see there.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { type OpenPage, openPage, startBrowser } from "./e2e-browser.ts";
import { type TestServer, startRightseat } from "./e2e-server.ts";
import { type Answer, startUpstream } from "./e2e-upstream.ts";
import type { Frame } from "./plugin-client.ts";

export const pageSettings = {
  RIGHTSEAT_TEST_PAGE: "true",
  RIGHTSEAT_PLUGIN_KEYS: "right-key",
  RIGHTSEAT_MAX_CONNECTIONS_PER_KEY: "20",
};

interface PageOptions extends BrowserContextOptions {
  /** A server of the test's own. */
  own?: Pick<TestServer, "url">;
}

/** Starts one browser and one server for all tests of a file, and gives what opens a page. */
export function startPages(): (options?: PageOptions) => Promise<OpenPage> {
  let browser: Browser;
  let server: TestServer;
  beforeAll(async () => {
    browser = await startBrowser();
    server = await startRightseat(pageSettings);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  return ({ own = server, ...options } = {}) => openTestPage(browser, own, options);
}

/** Opens the page, and fails the test if anything goes wrong in it or another server is asked. */
async function openTestPage(
  browser: Browser,
  { url }: Pick<TestServer, "url">,
  options: BrowserContextOptions,
): Promise<OpenPage> {
  const opened = await openPage(browser, `${url}/simpletest2025`, options);
  onTestFinished(async () => {
    const foreign = opened.requested.filter(
      (address) => new URL(address).host !== new URL(url).host,
    );
    expect({ faults: opened.faults, foreign }).toEqual({ faults: [], foreign: [] });
    await opened.page.context().close();
  });
  return opened;
}

/** Starts the product in front of a model that answers so. */
export async function startBefore(answer: Answer, more: Record<string, string> = {}) {
  const upstream = await startUpstream(answer);
  const own = await startRightseat({
    ...pageSettings,
    RIGHTSEAT_OPENAI_BASE_URL: `${upstream.url}/v1`,
    RIGHTSEAT_OPENAI_API_KEY: "mock",
    ...more,
  });
  onTestFinished(async () => {
    await own.close();
    await upstream[Symbol.asyncDispose]();
  });
  return { upstream, server: own };
}

export function printChunk(content: string, finish: string | null = null): string {
  const choice = { index: 0, delta: { content }, finish_reason: finish };
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [choice] })}\n\n`;
}

export async function connect(page: Page, key = "right-key"): Promise<void> {
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
}

export async function send(page: Page, command: string): Promise<void> {
  await page.getByLabel("Command").selectOption(command);
  await page.getByRole("button", { name: "Send" }).click();
}

export const statusOf = (page: Page) => page.locator("#status").textContent();
export const progressOf = (page: Page) => page.locator("#progress").textContent();

export async function answerOf(page: Page): Promise<string | null> {
  await drawn(page);
  return page.getByRole("region", { name: "Answer" }).textContent();
}

/** The frames that the page shows, the oldest first. */
export async function framesOf(page: Page): Promise<Frame[]> {
  await drawn(page);
  const texts = await page.locator("#frames pre").allTextContents();
  return texts.map((text) => JSON.parse(text) as Frame);
}

/** The last frame of that command. */
export async function sentBy(page: Page, command: string): Promise<Frame | undefined> {
  return (await framesOf(page)).findLast(({ cmd }) => cmd === command);
}

/** What the page has to draw, it draws with its next picture. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => resolve()))");
}
