import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { findBrokenLinks, readPages, splitPage } from "../scripts/check-links.ts";
import { parseConfig } from "../src/setup/config.ts";
import { settings } from "../src/setup/settings.ts";
import { AgentDefinition } from "../src/turn/agent-definition.ts";
import { createModelTable } from "../src/model/model-table.ts";
import { offlineModel } from "./helpers/offline-model.ts";
import { truncated } from "../src/testing.ts";
import { createTestApp } from "./helpers/create-test-app.ts";
import { connect } from "./helpers/plugin-client.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the stream that the docs show is the recorded one", () => {
  const recorded = read("test/fixtures/copilot/explain-with-knowledge.en.sse");
  const page = read("docs/wire-sse.md");
  const frames = recorded.split("\n").filter((line) => line.startsWith("data: "));
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.filter((frame) => !page.includes(frame))).toEqual([]);
});

test.each(["own-command", "own-tool", "own-door", "own-server"])(
  "the docs show the example %s as it is run",
  (name) => {
    const example = read(`examples/${name}.ts`)
      .replace('"../src/index.ts"', '"rightseat"')
      .replace('"../src/node.ts"', '"rightseat/node"');
    expect(read("docs/library.md")).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  },
);

/** The code block that begins behind a text of a page. */
function blockBehind(page: string, text: string): string {
  const whole = read(page);
  const from = whole.indexOf(text);
  expect(from).toBeGreaterThan(0);
  return splitPage(whole.slice(from)).blocks[0]?.text.trimEnd() ?? "";
}

/** Frames without what differs from one run to the next. */
function framesOf(stream: string): string[] {
  return stream
    .replaceAll(/"id":"chatcmpl-[^"]*"/g, '"id":"ID"')
    .replaceAll(/"created":\d+/g, '"created":0')
    .split("\n")
    .filter((line) => /^(?:data|event): /.test(line));
}

test("the first answer that the README shows is what the server sends, except what it leaves out", async () => {
  const model = offlineModel();
  const { app } = createTestApp({ modelTable: createModelTable([{ name: "offline", model }]) });
  const body = /-d '(\{"command":"default".*\})'/.exec(read("README.md"))?.[1] ?? "";
  const headers = { "content-type": "application/json", host: "localhost" };
  const request = new Request("http://localhost/agents/rightseat", {
    method: "POST",
    headers,
    body,
  });
  const sent = framesOf(await (await app.fetch(request)).text());
  const shown = blockBehind("README.md", "The answer (shortened: `[...]` means");
  const [before = "", behind = ""] = shown.split("[...]");
  const [first, last] = [framesOf(before), framesOf(behind)];
  expect(first).toEqual(sent.slice(0, first.length));
  expect(last).toEqual(sent.slice(-last.length));
  const left = sent.slice(first.length, -last.length).filter((line) => line.startsWith("event: "));
  expect(new Set(left)).toEqual(new Set(["event: copilot_action"]));
});

test("the frames that the docs show of the plugin protocol are what the server sends", async () => {
  const shown = blockBehind("docs/wire-plugin.md", "A streamed answer is a row of frames").split(
    "\n",
  );
  const asked = JSON.parse(
    blockBehind("docs/wire-plugin.md", "Paths may have backslashes."),
  ) as Record<string, unknown>;
  const { app } = createTestApp({ models: [["A cart ", "holds items."], ["A cart "]] });
  const client = await connect(app);
  const frames = await client.ask({ ...asked, model: "" });
  client.send({ ...asked, model: "" });
  client.send({ ...asked, model: "", request_id: 124 });
  const cancelled = await client.next();
  expect([...frames, cancelled].map((frame) => JSON.stringify(frame))).toEqual(shown);
});

test("the error in a stream that the docs show is what the server sends", async () => {
  const { app } = createTestApp({ models: [["It counts ", truncated()]] });
  const body = JSON.stringify({ command: "chat", contextVariables: [] });
  const headers = { "content-type": "application/json", host: "localhost" };
  const request = new Request("http://localhost/agents/rightseat", {
    method: "POST",
    headers,
    body,
  });
  const sent = framesOf(await (await app.fetch(request)).text());
  expect(sent.slice(-2)).toEqual(
    framesOf(blockBehind("docs/wire-sse.md", "**After the first byte**")),
  );
});

const blocks = [...readPages()].flatMap(([page, text]) =>
  splitPage(text).blocks.map((block) => ({ ...block, at: `${page}:${block.line}` })),
);

/** What a test here or in test/e2e reads or runs; of `nginx` nobody does. */
const readable = ["console", "js", "json", "nginx", "sh", "text", "toml", "ts"];

test("every code block says its language, which has a test that reads it", () => {
  expect(blocks.length).toBeGreaterThan(60);
  expect(blocks.filter(({ language }) => !readable.includes(language))).toEqual([]);
});

test("whatever looks like JSON in a code block is JSON", () => {
  const texts = blocks.flatMap(({ language, text, at }) => {
    if (language === "json" && !text.startsWith('{"')) return [{ at, json: text }];
    if (!["json", "text"].includes(language)) return [];
    const lines = text.split("\n").map((line) => line.replace(/^data: (?!\[DONE\])/, ""));
    return lines.filter((line) => line.startsWith('{"')).map((json) => ({ at, json }));
  });
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.filter(({ json }) => !isJson(json))).toEqual([]);
});

test("definitions and tables of models in the docs are read without a complaint", () => {
  const objects = blocks
    .filter(({ language, text }) => language === "json" && !text.startsWith('{"'))
    .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  const definitions = objects.filter((it) => "commands" in it);
  expect(definitions).toHaveLength(3);
  for (const definition of definitions) AgentDefinition.parse(definition);
  const tables = objects.filter((it) => "models" in it);
  expect(tables).toHaveLength(1);
  for (const table of tables) parseConfig({}, table);
  const [, models] = /RIGHTSEAT_MODELS = '''\n([^]*?)'''/.exec(wholeDocs()) ?? [];
  expect(parseConfig({ RIGHTSEAT_MODELS: models }).models).toHaveLength(1);
});

test("commands of a shell are written as a shell reads them, and name scripts that exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const { at, text } of blocks.filter(({ language }) => language === "sh")) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
    expect({ at, status, stderr }).toEqual({ at, status: 0, stderr: "" });
  }
  const named = [...wholeDocs().matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("every setting that the docs name exists, and so does its environment variable", () => {
  const known = new Set(Object.values(settings).flatMap(({ variables }) => variables));
  const others = /^RIGHTSEAT_(?:CONFIG|SERVICE_|PORT_)/;
  const named = [...wholeDocs().matchAll(/\bRIGHTSEAT_[A-Z_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !known.has(name) && !others.test(name))).toEqual([]);
});

/** All pages, except that of the bench, which has scripts of its own. */
function wholeDocs(): string {
  const pages = [...readPages()].filter(([path]) => !path.startsWith("scripts/"));
  return pages.map(([, text]) => text).join("\n");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("all links and anchors of the docs lead somewhere, and the README leads to every page", () => {
  const pages = readPages();
  expect(pages.size).toBeGreaterThan(14);
  expect(findBrokenLinks(pages)).toEqual([]);
});

const page = (text: string) =>
  new Map([
    ["README.md", text],
    ["docs/a.md", "# One\n## `two` words, 二\n## One\n"],
  ]);

test.each([
  ["[a](docs/a.md)", []],
  ["[a](docs/a.md#one) [b](docs/a.md#two-words-二) [c](docs/a.md#one-1)", []],
  ["[a](docs/a.md) `[b](gone.md)`\n```text\n[c](gone.md)\n```\n", []],
  ["[a](docs/a.md#three)", ["README.md: there is no heading for docs/a.md#three"]],
  ["[a](docs/a.md) [b](#gone)", ["README.md: there is no heading for #gone"]],
  ["[a](docs/a.md) [b](docs/b.md)", ["README.md: there is no file for docs/b.md"]],
  ["[a](https://example.com/#x)", ["docs/a.md: the README does not lead to it"]],
  [`[a](docs/a.md)${"\n".repeat(200)}x`, ["README.md has 201 lines, more than 200"]],
])("links of %j", (text, problems) => {
  expect(findBrokenLinks(page(text), () => false)).toEqual(problems);
});

test("a link to any heading is found, whatever the heading holds", () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const text = `# ${words.join(" ")}\n[here](#${words.join("-")}) [there](#${words.join("-")}-x)`;
      const broken = findBrokenLinks(new Map([["README.md", text]]), () => false);
      expect(broken).toHaveLength(1);
    }),
  );
});

test("the compose file starts servers with settings that there are, from an image that is described", () => {
  const { services } = load(read("deploy/compose.yaml")) as {
    services: Record<
      string,
      {
        image?: string;
        build?: { dockerfile: string };
        environment?: object;
        depends_on?: string[];
      }
    >;
  };
  const known = new Set(Object.values(settings).flatMap(({ variables }) => variables));
  expect(Object.keys(services)).toEqual(["rightseat", "redis", "gateway"]);
  for (const { image, build, environment = {}, depends_on: needs = [] } of Object.values(
    services,
  )) {
    expect(image ?? read(build?.dockerfile ?? "")).not.toBe("");
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(needs.filter((name) => services[name] === undefined)).toEqual([]);
  }
  const { environment } = services["rightseat"] ?? {};
  const fixed = Object.entries(environment ?? {}).filter(([, value]) => !`${value}`.includes("${"));
  const { store, host } = parseConfig({
    ...Object.fromEntries(fixed),
    RIGHTSEAT_API_KEYS: "key",
  });
  expect([host, store]).toEqual(["0.0.0.0", "redis://redis:6379"]);
});

test("the image's user may write into each of its volumes but that of the settings", () => {
  const image = read("deploy/Dockerfile").replaceAll("\\\n", "");
  const volumes = JSON.parse(/^VOLUME (.*)$/m.exec(image)?.[1] ?? "[]") as string[];
  const [, user, owned = ""] = /chown (\w+):\w+ ([\w ]+)/.exec(image) ?? [];
  expect(image).toContain(`\nUSER ${user}\n`);
  expect(["config", ...owned.trim().split(" ")].map((name) => `/app/${name}`)).toEqual(volumes);
  // As the docs have it.
  const store = /RIGHTSEAT_STORE=(\S+)/.exec(image)?.[1] ?? "";
  expect(read("docs/sessions.md")).toContain(`-e RIGHTSEAT_STORE=${store} -v sessions:/app/data`);
  expect(parseConfig({ RIGHTSEAT_STORE: store }).store).toMatch(/^sqlite:data\//);
});
