import { cliTexts } from "../../../../src/cli/texts.ts";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { parseConfig } from "../../../../src/setup/config.ts";
import { buildRequest } from "../../../../src/cli/call/collect/build-request.ts";
import {
  type Checklist,
  holdConversation,
  joinChoices,
} from "../../../../src/cli/call/choose/next-steps.ts";
import { localEndpoint } from "../../../../src/cli/call/send-request.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { createLocalApp } from "../../../../src/cli/create-local-app.ts";
import { loadAgents } from "../../../../src/setup/load-agents.node.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const cart = `// A cart.

export function total(prices) {
  if (prices.length === 0) return 0;
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}

export function isFree(price) {
  return price === 0;
}
`;

/** Calls unittest with the offline model, and ticks these cases where there is a checklist. */
async function recommend(lines: string | undefined, ...ticks: number[]) {
  const directory = temporaryFolder({
    "cart.js": cart,
    "package.json": '{"devDependencies":{"vitest":"5"}}',
  });
  const config = parseConfig({});
  const agents = loadAgents(config.agents);
  const endpoint = localEndpoint(await createLocalApp(config, agents, {}), undefined);
  const sent: unknown[] = [];
  const offered: (Checklist | undefined)[] = [];
  const stdout = new PassThrough();
  const sources = { directory, agent: agents[0]?.name ?? "", command: "unittest", file: "cart.js" };
  await holdConversation(await buildRequest({ ...sources, lines }), {
    endpoint: {
      send(request, signal) {
        sent.push([request.command, request.contextVariables[0]?.value]);
        return endpoint.send(request, signal);
      },
      close: () => endpoint.close(),
    },
    terminal: createTerminal(stdout, new PassThrough()),
    signal: new AbortController().signal,
    receipt: false,
    raw: false,
    texts: cliTexts("en"),
    choose: (_, checklist) => {
      offered.push(checklist);
      const [first, ...more] =
        checklist?.choices.filter(({ number }) => ticks.includes(number)) ?? [];
      return Promise.resolve(first === undefined ? undefined : joinChoices([first, ...more]));
    },
  });
  await endpoint.close();
  return { sent, offered, out: String(stdout.read()) };
}

test("several of the recommended cases are sent as one request, and their tests come as one file", async () => {
  const { sent, offered, out } = await recommend("3-8", 1, 3);
  expect([...(offered[0]?.groups?.keys() ?? [])]).toEqual(["happy path", "edge case"]);
  expect(sent).toHaveLength(2);
  const [command, prompt] = sent[1] as [string, string];
  expect(command).toBe("unittest-write");
  expect(prompt.split("\n")).toEqual([
    "Write tests for total, lines 3-8",
    "",
    "```text",
    expect.stringMatching(/^happy path: /),
    expect.stringMatching(/^edge case: /),
    "```",
  ]);
  expect(out.match(/^test\(/gm)).toHaveLength(2);
});

test("the functions of a file are no checklist, and their tree is shown", async () => {
  const { sent, offered, out } = await recommend(undefined, 1, 3);
  expect(offered).toEqual([undefined]);
  expect(sent).toHaveLength(1);
  expect(out).toContain("  1. total (function)\n");
});
