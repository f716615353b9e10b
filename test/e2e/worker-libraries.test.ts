// The worker as a deploy bundles it has shorter libraries; what it makes of templates and code is the same.
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventStream, type Upstream, startUpstream } from "../helpers/e2e-upstream.ts";
import { type Workerd, startWorkerd } from "../helpers/e2e-workerd.ts";
import { chunk, frame } from "../helpers/upstream.ts";

let upstream: Upstream;
let server: Workerd;

beforeAll(async () => {
  const answer = frame(chunk({ role: "assistant", content: "Hello" })) + frame(chunk({}, "stop"));
  upstream = await startUpstream(({ socket }) => {
    socket.end(`${eventStream}${answer}data: [DONE]\n\n`);
  });
  server = await startWorkerd({ RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

function ask(template: string, body: object = {}): Promise<Response> {
  const messageTemplates = [{ role: "user", template }];
  const contextVariables = [{ name: "list", value: ["b", "a"] }];
  const agentDefinition = { name: "own", commands: [{ name: "say", messageTemplates }] };
  return fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ command: "say", agentDefinition, contextVariables, ...body }),
  });
}

test("tags and filters of the list are there", async () => {
  const template =
    "{% assign all = list | sort %}{% for one in all %}{% unless one == 'c' %}{{ one | upcase }}{% endunless %}" +
    "{% case one %}{% when 'a' %}!{% endcase %}{% endfor %}{% capture it %}{{ list | join: '+' }}{% endcapture %}" +
    "{{ it | replace: 'b', 'd' }}{% comment %}x{% endcomment %}{% raw %}{{ raw }}{% endraw %}{{ list | json }}";
  await (await ask(template)).text();
  expect(JSON.parse(upstream.requests.at(-1)?.body ?? "")).toMatchObject({
    messages: [{ role: "user", content: 'A!Bd+a{{ raw }}["b","a"]' }],
  });
});

test.each([
  ["{% include 'a' %}", "templates may not load other templates"],
  ["{% cycle 'a', 'b' %}", "the tag cycle is not available"],
  ["{{ 'a' | date: '%Y' }}", "the filter date is not available"],
  ["{{ 'a' | upcas }}", "undefined filter: upcas (did you mean upcase?)"],
])("%s is refused with a hint", async (template, hint) => {
  const response = await ask(template);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(hint);
});

test("code is read by its grammar", async () => {
  const value = {
    filePath: "a.ts",
    content: "function pay() {\n  return (1;\n}\n",
  };
  const response = await ask("", {
    command: "fix",
    agent: "rightseat",
    agentDefinition: undefined,
    contextVariables: [{ name: "activeEditor", value }],
  });
  await response.text();
  expect(upstream.requests.at(-1)?.body).toContain(String.raw`Line 2: \")\" is missing`);
});
