import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createModelTable } from "../src/model/model-table.ts";
import { offlineModel } from "../src/model/offline/offline.ts";
import { truncated } from "../src/model/scripted.ts";
import { createTestApp } from "./helpers/create-test-app.ts";
import { connect } from "./helpers/plugin-client.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the stream that the README shows is the recorded one", () => {
  const recorded = read("test/fixtures/copilot/explain-with-knowledge.en.sse");
  const readme = read("README.md");
  const frames = recorded.split("\n").filter((line) => line.startsWith("data: "));
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.filter((frame) => !readme.includes(frame))).toEqual([]);
});

test.each(["own-command", "own-door", "own-server"])(
  "the README shows the example %s as it is run",
  (name) => {
    const example = read(`examples/${name}.ts`)
      .replace('"../src/index.ts"', '"rightseat"')
      .replace('"../src/node.ts"', '"rightseat/node"');
    expect(read("README.md")).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  },
);

/** The code block that begins behind a text of the README. */
function blockBehind(text: string): string {
  const readme = read("README.md");
  const block = /\n(`{3,})\w*\n([^]*?)\n\1\n/.exec(readme.slice(readme.indexOf(text)));
  return block?.[2] ?? "";
}

/** Frames without what differs from one run to the next. */
function framesOf(stream: string): string[] {
  return stream
    .replaceAll(/"id":"chatcmpl-[^"]*"/g, '"id":"ID"')
    .replaceAll(/"created":\d+/g, '"created":0')
    .split("\n")
    .filter((line) => /^(?:data|event): /.test(line));
}

test("the first answer that the README shows is what the server sends, but for what it leaves out", async () => {
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
  const [before = "", behind = ""] = blockBehind("The answer (shortened: `[...]` means").split(
    "[...]",
  );
  const [first, last] = [framesOf(before), framesOf(behind)];
  expect(first).toEqual(sent.slice(0, first.length));
  expect(last).toEqual(sent.slice(-last.length));
  const left = sent.slice(first.length, -last.length).filter((line) => line.startsWith("event: "));
  expect(left).toHaveLength(7);
});

test("the frames that the README shows of the plugin protocol are what the server sends", async () => {
  const shown = blockBehind("A streamed answer is a row of frames").split("\n");
  const asked = JSON.parse(blockBehind("Paths may have backslashes.")) as Record<string, unknown>;
  const { app } = createTestApp({ models: [["A cart ", "holds items."], ["A cart "]] });
  const client = await connect(app);
  const frames = await client.ask({ ...asked, model: "" });
  client.send({ ...asked, model: "" });
  client.send({ ...asked, model: "", request_id: 124 });
  const cancelled = await client.next();
  expect([...frames, cancelled].map((frame) => JSON.stringify(frame))).toEqual(shown);
});

test("the error in a stream that the README shows is what the server sends", async () => {
  const { app } = createTestApp({ models: [["It counts ", truncated()]] });
  const body = JSON.stringify({ command: "chat", contextVariables: [] });
  const headers = { "content-type": "application/json", host: "localhost" };
  const request = new Request("http://localhost/agents/rightseat", {
    method: "POST",
    headers,
    body,
  });
  const sent = framesOf(await (await app.fetch(request)).text());
  expect(sent.slice(-2)).toEqual(framesOf(blockBehind("**After the first byte**")));
});
