// The page to try the protocol on, as a browser gets it; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { pluginDoor } from "../../../src/doors/plugin/plugin-door.ts";
import { parseConfig } from "../../../src/setup/config.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const on = { RIGHTSEAT_TEST_PAGE: "true" };

async function get(settings: Record<string, string>, headers: Record<string, string> = {}) {
  const { app } = createTestApp({ settings });
  const head = { host: "localhost", ...headers };
  return app.fetch(new Request("http://localhost/simpletest2025", { headers: head }));
}

/** What a browser hashes: all between the tags of the only element of that name. */
async function hashOf(html: string, tag: string): Promise<string> {
  const [text = "", ...more] = [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, "g"))].map(
    ([, inner = ""]) => inner,
  );
  expect(more).toEqual([]);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
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
        `script-src ${await hashOf(html, "script")}`,
        `style-src ${await hashOf(html, "style")}`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    );
    expect(html).not.toMatch(/\s(?:on[a-z]+|style|src|href)=/);
    expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  });

  test("has the hashes of a browser also where its lines end with CR LF", async () => {
    const door = pluginDoor(
      parseConfig(on),
      "<style>\r\np{}\r\n</style>\r\n<script>\r\n1;\r\n</script>\r\n",
    );
    const { app } = createTestApp({ settings: on, doors: [door] });
    const response = await app.fetch(
      new Request("http://localhost/simpletest2025", { headers: { host: "localhost" } }),
    );
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(await hashOf("<script>\n1;\n</script>", "script"));
    expect(policy).toContain(await hashOf("<style>\np{}\n</style>", "style"));
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
