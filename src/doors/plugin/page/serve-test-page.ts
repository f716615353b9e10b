import type { Handler } from "hono";
import type { DoorEnv } from "../../http/door-env.ts";

/**
 * Answers with the test page, whose policy lets nothing run but its own script and style, nothing be loaded, and
 * nothing be reached but this server. `'self'` holds for its WebSockets, too (CSP level 3).
 */
export function serveTestPage(file: string): Handler<DoorEnv> {
  // Browsers hash the text after they have done the same.
  const page = file.replaceAll("\r\n", "\n");
  let policy: Promise<string> | undefined;
  return async (c) =>
    c.html(page, 200, {
      "content-security-policy": await (policy ??= createPolicy(page)),
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
}

async function createPolicy(page: string): Promise<string> {
  const [script, style] = [await hashOf(page, "script"), await hashOf(page, "style")];
  return [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Of all between the tags of the only element of this name, to the byte. */
async function hashOf(page: string, tag: "script" | "style"): Promise<string> {
  const from = page.indexOf(`<${tag}>`) + `<${tag}>`.length;
  const bytes = new TextEncoder().encode(page.slice(from, page.indexOf(`</${tag}>`, from)));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `'sha256-${btoa(String.fromCharCode(...hash))}'`;
}
