// The page in Debian's Chromium, and all that goes wrong in it.
import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";

/** Starts the browser without a window, and with a profile that is new. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // Containers have little of it.
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface OpenPage {
  page: Page;
  /** Errors and warnings of the console, errors of scripts, and whatever the policy has refused. */
  faults: readonly string[];
  /** The addresses of all requests, those of WebSockets too. */
  requested: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ locale: "en-US", ...options });
  const page = await context.newPage();
  const [faults, requested]: [string[], string[]] = [[], []];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => requested.push(request.url()));
  page.on("websocket", (socket) => requested.push(socket.url()));
  await page.goto(url);
  return { page, faults, requested };
}
