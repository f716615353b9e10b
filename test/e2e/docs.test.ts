// Runs what the docs tell readers to type: clients, requests, commands.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { linesDoor } from "../../examples/own-door.ts";
import { readPages, splitPage } from "../../scripts/check-links.ts";
import { startServer } from "../../src/node.ts";
import { spawnCommand, spawnNode } from "../helpers/e2e-process.ts";

vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL("../../", import.meta.url));
const blocks = [...readPages()].flatMap(([page, text]) =>
  splitPage(text).blocks.map((block, nth, all) => ({
    ...block,
    at: `${page}:${block.line}`,
    next: all[nth + 1]?.text ?? "",
  })),
);
const address = "http://127.0.0.1:18080";
const serve = () =>
  startServer({
    environment: { RIGHTSEAT_PORT: "0", RIGHTSEAT_DRAIN_TIMEOUT_MS: "500" },
    doors: [linesDoor],
  });

test("every client that the docs show reads an answer", async () => {
  const clients = blocks.filter(({ language }) => language === "js");
  expect(clients.length).toBeGreaterThan(2);
  const server = await serve();
  try {
    for (const { at, text } of clients) {
      const code = text.replaceAll(new URL(address).host, new URL(server.url).host);
      await using client = spawnNode(["--input-type=module", "--eval", code], {}, root);
      expect({ at, exit: await client.exited, err: client.stderr }).toEqual({
        at,
        exit: 0,
        err: "",
      });
      expect(client.stdout.length).toBeGreaterThan(100);
    }
  } finally {
    await server.close();
  }
});

test("every request that the docs show with curl is answered", async () => {
  const requests = blocks.flatMap((block) => {
    const [, path, body] = /^curl .*18080(\S+) [^]*?-d '([^']*)'/m.exec(block.text) ?? [];
    return path === undefined ? [] : [{ ...block, path, body: body ?? "" }];
  });
  expect(requests).toHaveLength(4);
  const server = await serve();
  try {
    for (const { at, path, body, next } of requests) {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body });
      const text = await response.text();
      expect({ at, status: response.status }).toEqual({ at, status: 200 });
      if (path.startsWith("/lines")) expect(text).toBe(next);
    }
  } finally {
    await server.close();
  }
});

/** The lines that a person types, without what is behind `--` or goes to another program. */
const typed = blocks
  .filter(({ language }) => language === "sh" || language === "console")
  .flatMap(({ language, text, at }) =>
    text
      .split("\n")
      .filter((line) => language === "sh" || line.startsWith("$ "))
      .flatMap((line) => {
        const [, command, rest = ""] =
          /\brightseat(?: --)? ([a-z]+)\b(.*)$/.exec(line.replace(/ #.*$/, "")) ?? [];
        const bare = rest.replaceAll(/'[^']*'|"[^"]*"/g, "").replace(/ -- .*$|[|;<>].*$/, "");
        return command === undefined
          ? []
          : [{ at, command, options: bare.match(/--[a-z-]+/g) ?? [] }];
      }),
  );

test("every command and option that the docs show exists", async () => {
  expect(typed.length).toBeGreaterThan(20);
  for (const [command, uses] of Map.groupBy(typed, (it) => it.command)) {
    await using help = spawnCommand(root, [command, "--help"]);
    expect({ command, exit: await help.exited }).toEqual({ command, exit: 0 });
    const missing = uses.filter(({ options }) => options.some((it) => !help.stdout.includes(it)));
    expect(missing).toEqual([]);
  }
});

test("the terminal greets as the docs show", async () => {
  const shown = blocks.find(({ text }) => text.includes("-- call default\n"))?.text ?? "";
  const home = mkdtempSync(join(tmpdir(), "docs-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ada\n");
  await using call = spawnCommand(home, ["call", "default", "--language", "en"]);
  expect(await call.exited).toBe(0);
  expect(call.stdout.trim()).toBe(shown.slice(shown.indexOf("\n")).trim());
});

test("edit --jsonl answers as the docs show", () => {
  const shown = blocks.find(({ text }) => text.includes("rightseat edit --jsonl\n"))?.text ?? "";
  const [, line = "", answer] = /'(\{"id".*\})' \|.*\n(.*)\n/.exec(shown) ?? [];
  const args = [`${root}src/cli.ts`, "edit", "--jsonl"];
  const options = { input: `${line}\n`, encoding: "utf8", cwd: tmpdir() } as const;
  expect(spawnSync(process.execPath, args, options).stdout).toBe(`${answer}\n`);
});

const corpus = readFileSync(`${root}test/fixtures/edit/corpus.jsonl`, "utf8").split("\n");
const cart = `export function total(prices, coupon) {
  let sum = 0;
  for (const price of prices) {
    if (price == 0) continue;
    sum += price;
  }
  if (coupon != "none") {
    sum = sum * 0.9;
  }
  return sum;
}
`;
const bad = `{
  "name": "re viewer 1",
  "commands": [
    {
      "name": "review",
      "contextVariableCollectionStrategy": {
        "contextVariables": [{ "name": "activeEditdor" }, { "name": "vcs", "resolveOptions": {} }]
      },
      "messageTemplates": [{ "role": "user", "template": "{{ activeEditor | fense }}" }]
    },
    {
      "name": "go",
      "messageTemplates": [{ "role": "usr", "template": "{{ userInputPromt }}" }]
    }
  ]
}
`;
/** The files of the folder in which the commands of the docs run. */
const files = {
  "cart.js": cart,
  "bad.json": bad,
  "suggest-name.ts": (
    JSON.parse(corpus.find((line) => line.includes("src/cli/suggest-name.ts")) ?? "") as {
      before: string;
    }
  ).before,
  "change.diff": blocks.find(({ text }) => text.startsWith("------- SEARCH\n"))?.text ?? "",
  ".gitconfig": "[user]\n\tname = Ada\n",
};

test("these commands print what the docs show, except for numbers", () => {
  const home = mkdtempSync(join(tmpdir(), "docs-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const env = { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1", LANG: "en_US.UTF-8" };
  const rightseat = `rightseat() { '${process.execPath}' '${root}src/cli.ts' "$@"; }`;
  const run = (command: string): string => {
    const script = `${rightseat}\n${command}`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script], {
      cwd: home,
      env,
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  mkdirSync(join(home, "agents"));
  const helper = blocks.find(({ text }) => text.includes('"recallByAgent": true'))?.text ?? "";
  writeFileSync(join(home, "agents/helper.json"), helper);
  cpSync(`${root}test/fixtures/knowledge`, join(home, "docs"), { recursive: true });
  const shown = blocks.filter(({ text }) =>
    /^\$ (?:rightseat (?:lint bad|edit --file|call (?:explain|fix) cart)|export)/.test(text),
  );
  expect(shown).toHaveLength(6);
  for (const { at, text } of shown) {
    // Neither a server nor what a person chooses from a list ends by itself.
    const lines = text.replace(/^(?:\$ rightseat serve|◆)[^]*/m, "").split("\n");
    const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
    // It shows the second run of an edit: the first one has written.
    if (text.includes("; echo")) run(commands.join("\n"));
    const printed = new Set(withoutNumbers(run(commands.join("\n"))).split("\n"));
    const expected = lines.filter((line) => !line.startsWith("$ ") && line !== "[...]");
    expect(expected.length).toBeGreaterThan(5);
    const missing = expected.filter((line) => !printed.has(withoutNumbers(line)));
    expect({ at, missing }).toEqual({ at, missing: [] });
  }
});

/** Sizes of prompts change with their texts, and scores with what is searched. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/ *\d+(?:\.\d+)?/g, " N");
}
