// The page to try the protocol on, as a browser gets it; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";

const on = { RIGHTSEAT_TEST_PAGE: "true" };

async function get(settings: Record<string, string>, headers: Record<string, string> = {}) {
  const { app } = createTestApp({ settings });
  const head = { host: "localhost", ...headers };
  return app.fetch(new Request("http://localhost/simpletest2025", { headers: head }));
}

/** The mark of the only element of that name. */
function nonceOf(html: string, tag: string): string | undefined {
  const [, ...parts] = html.split(`<${tag} nonce="`);
  expect(parts).toHaveLength(1);
  expect(html).not.toContain(`<${tag}>`);
  return parts[0]?.slice(0, parts[0].indexOf('"'));
}

describe("the test page", () => {
  test.each([
    ["where nothing is set", {}],
    ["where it is switched off", { RIGHTSEAT_TEST_PAGE: "false" }],
  ])("is unknown %s", async (_, settings) => {
    const response = await get(settings);
    expect(response.status).toBe(404);
    const { error } = await response.json();
    expect(error.message).toContain("Nothing is at /simpletest2025. This server has:");
    expect(error.message).not.toContain("GET /simpletest2025");
  });

  test("is served where it is switched on, also without a key", async () => {
    const response = await get({ ...on, RIGHTSEAT_PLUGIN_KEYS: "plain-key" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html; charset=utf-8/i);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const html = await response.text();
    expect(html).toContain('<select id="command">');
    expect(html).not.toContain("plain-key");
  });

  test("lets nothing run and be loaded but what is in it", async () => {
    const response = await get(on);
    const html = await response.text();
    expect(response.headers.get("content-security-policy")).toBe(
      [
        "default-src 'none'",
        `script-src 'nonce-${nonceOf(html, "script")}'`,
        `style-src 'nonce-${nonceOf(html, "style")}'`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    );
    expect(html).not.toMatch(/\s(?:on[a-z]+|style|src|href)=/);
    expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  });

  test("has another mark each time", async () => {
    const { app } = createTestApp({ settings: on, createId: () => crypto.randomUUID() });
    const load = async () => {
      const head = { host: "localhost" };
      const request = new Request("http://localhost/simpletest2025", { headers: head });
      return (await app.fetch(request)).text();
    };
    const [first, second] = [await load(), await load()];
    expect(nonceOf(first, "script")).toMatch(/^[\w-]{36}$/);
    expect(nonceOf(second, "script")).not.toBe(nonceOf(first, "script"));
  });

  test("is not there for those who come under a foreign name", async () => {
    const response = await get({ ...on, RIGHTSEAT_ALLOWED_HOSTS: "" }, { host: "evil.example" });
    expect(response.status).toBe(403);
  });

  test("says the same things in both languages", async () => {
    const html = await (await get(on)).text();
    const from = html.indexOf("const texts = ");
    const table = html.slice(from, html.indexOf("\n      };\n", from));
    const [en = "", zh = ""] = table.split("        zh: {");
    const namesIn = (text: string) => [...text.matchAll(/^ {10,}(\w+):/gm)].map(([, name]) => name);
    expect(namesIn(en).length).toBeGreaterThan(50);
    expect(namesIn(zh)).toEqual(namesIn(en));
    const used = [...html.matchAll(/data-(?:text|placeholder)="(\w+)"/g)].map(([, name]) => name);
    expect(used.filter((name) => !namesIn(en).includes(name))).toEqual([]);
  });
});
