// What a request may bring and an answer may hold; on Node and in workerd.
import { describe, expect, test, vi } from "vitest";
import type { PublicError } from "../../../src/base/errors/to-public-error.ts";
import { createActionPrinter } from "../../../src/doors/copilot/copilot-door.ts";
import {
  clickTree,
  confirmAction,
  maxActions,
  maxNodes,
  treeRoot,
} from "../../../src/turn/action.ts";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { send } from "../../helpers/copilot-client.ts";
import { copilotRequest, post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { code } from "../../helpers/code-parser.ts";

const name = (count: number): string => `command-${count}`;
const commands = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ name: name(nth) }));
const definition = (more: object = {}) => ({ name: "theirs", ...more });

async function refused(body: unknown): Promise<PublicError> {
  const { app } = createTestApp();
  const response = await post(app, body);
  const { error } = (await response.json()) as { error: PublicError };
  expect([response.status, error.code]).toEqual([400, "invalid_request"]);
  expect(JSON.stringify(error).length).toBeLessThan(4_000);
  return error;
}

describe("a request with more than is allowed is refused with path and limit:", () => {
  const long = "n".repeat(201);
  const template = { role: "user", template: "x" };
  const collects = (contextVariables: object[]) => [
    { name: "x", contextVariableCollectionStrategy: { contextVariables } },
  ];
  const variables = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ name: `v-${nth}`, value: nth }));

  test.each<[string, object, string]>([
    [
      "commands",
      { agentDefinition: definition({ commands: commands(201) }) },
      "agentDefinition.commands: must have at most 200 items",
    ],
    [
      "very many commands",
      { agentDefinition: definition({ commands: commands(50_000) }) },
      "agentDefinition.commands: must have at most 200 items",
    ],
    [
      "variables that a command collects",
      { agentDefinition: definition({ commands: collects(variables(1_001)) }) },
      "agentDefinition.commands[0].contextVariableCollectionStrategy.contextVariables: must have at most 1000 items",
    ],
    [
      "context variables",
      { agent: "rightseat", contextVariables: variables(1_001) },
      "contextVariables: must have at most 1000 items",
    ],
    [
      "templates",
      { agent: "rightseat", messageTemplates: Array.from({ length: 1_001 }, () => template) },
      "messageTemplates: must have at most 1000 items",
    ],
    [
      "messages",
      { agent: "rightseat", messages: Array.from({ length: 10_001 }, () => ({})) },
      "messages: must have at most 10000 items",
    ],
    [
      "characters of a command's name",
      { agentDefinition: definition({ commands: [{ name: long }] }) },
      "agentDefinition.commands[0].name: must have at most 200 characters",
    ],
    [
      "characters of a description",
      { agentDefinition: definition({ commands: [{ name: "x", description: long.repeat(50) }] }) },
      "agentDefinition.commands[0].description: must have at most 10000 characters",
    ],
    [
      "characters of a description in one language",
      {
        agentDefinition: definition({
          commands: [{ name: "x", description: { zh: long.repeat(50) } }],
        }),
      },
      "agentDefinition.commands[0].description.zh: must have at most 10000 characters",
    ],
    [
      "characters of an agent's name",
      { agentDefinition: { name: long } },
      "agentDefinition.name: must have at most 200 characters",
    ],
    [
      "characters of a version",
      { agentDefinition: definition({ version: long }) },
      "agentDefinition.version: must have at most 200 characters",
    ],
    [
      "characters of a variable's name",
      { agent: "rightseat", contextVariables: [{ name: long, value: 1 }] },
      "contextVariables[0].name: must have at most 200 characters",
    ],
    [
      "characters of a model's name",
      { agent: "rightseat", model: long },
      "model: must have at most 200 characters",
    ],
    [
      "characters of the command",
      { agent: "rightseat", command: "x".repeat(1_000_000) },
      "command: must have at most 200 characters",
    ],
  ])("%s", async (_, body, message) => {
    const error = await refused({ command: "default", ...body });
    expect(error.message).toContain(message);
  });

  test("as much as is allowed is taken", async () => {
    const { app } = createTestApp();
    const agentDefinition = definition({ commands: commands(200) });
    const body = { command: "default", agentDefinition, contextVariables: variables(1_000) };
    expect((await post(app, body)).status).toBe(200);
  });

  test("by setting", async () => {
    const settings = { maxCommands: 2, maxVariables: 1 };
    const { app } = createTestApp({ settings });
    const ask = async (body: object) => (await post(app, { command: "default", ...body })).status;
    expect(await ask({ agentDefinition: definition({ commands: commands(2) }) })).toBe(200);
    expect(await ask({ agentDefinition: definition({ commands: commands(3) }) })).toBe(400);
    expect(await ask({ agent: "rightseat", contextVariables: variables(2) })).toBe(400);
  });
});

describe("a greeting", () => {
  test("of very many commands offers the first ones and says that there are more", async () => {
    for (const [language, note] of [
      ["en", "Not all next steps are shown"],
      ["zh", "部分后续操作未显示"],
    ]) {
      const { app } = createTestApp();
      const agentDefinition = definition({ commands: commands(150) });
      const { actions, text, finish } = await send(app, { agentDefinition, language });
      expect([actions.length, finish]).toEqual([maxActions, "stop"]);
      expect(text).toContain(note);
    }
  });

  test("of as many commands as fit says nothing of the kind", async () => {
    const { app } = createTestApp();
    const agentDefinition = definition({ commands: commands(maxActions) });
    const { actions, text } = await send(app, { agentDefinition });
    expect(actions.length).toBe(maxActions);
    expect(text).not.toContain("Not all");
  });

  test("of an agent of the operator's with 30,000 commands is as short", async () => {
    const agents = [AgentDefinition.parse({ name: "rightseat", commands: commands(30_000) })];
    const { app } = createTestApp({ agents });
    const response = await post(app, copilotRequest("default"));
    expect((await response.text()).length).toBeLessThan(100_000);
    const unknown = await (await post(app, copilotRequest("command-1x"))).text();
    expect(unknown).toContain("Did you mean command-1?");
    expect(unknown).toMatch(/command-19 and \d+ more/);
    expect(unknown.length).toBeLessThan(2_000);
  });
});

describe("the actions of an answer", () => {
  const button = (prompt: string) =>
    confirmAction({ title: "Go", message: "", command: "fix", prompt });
  const tree = (count: number) => {
    const nodes = Array.from({ length: count }, (_, nth) => ({
      id: `n-${nth}`,
      pId: nth === 0 ? treeRoot : "n-0",
      type: "case",
      name: "",
      description: "",
      labels: [],
    }));
    return clickTree("t", nodes, { nodeType: "case", command: "fix" });
  };

  test("are taken as they are, up to their number", () => {
    const printer = createActionPrinter();
    const action = button("x");
    for (let count = 0; count < maxActions; count++)
      expect(printer.print(action)).toBe(JSON.stringify(action));
    expect(printer.hasLeftOut).toBe(false);
    expect([printer.print(action), printer.hasLeftOut]).toEqual([undefined, true]);
  });

  test("lose nodes of a tree that are too many, the last ones", () => {
    const printer = createActionPrinter();
    const whole = tree(maxNodes);
    expect([printer.print(whole), printer.hasLeftOut]).toEqual([JSON.stringify(whole), false]);
    const cut: unknown = JSON.parse(printer.print(tree(maxNodes + 1)) ?? "");
    expect(cut).toEqual(whole);
    expect(printer.hasLeftOut).toBe(true);
  });

  test("that hold too much together are left out, and shorter ones still come", () => {
    const printer = createActionPrinter();
    expect(printer.print(button("x".repeat(1_500_000)))).toBeDefined();
    expect(printer.print(button("x".repeat(1_500_000)))).toBeUndefined();
    expect(printer.print(button("x"))).toBeDefined();
    expect(printer.hasLeftOut).toBe(true);
  });

  test("are not printed first where their texts alone are too long", () => {
    const prompt = "x".repeat(100_000);
    const nodes = tree(maxNodes).data.nodes.map((node) => ({ ...node, prompt }));
    const action = clickTree("t", nodes, { nodeType: "case", command: "fix" });
    const printing = vi.spyOn(JSON, "stringify");
    try {
      expect(createActionPrinter().print(action)).toBeUndefined();
      expect(printing).not.toHaveBeenCalled();
    } finally {
      printing.mockRestore();
    }
  });

  test("are said to be cut where a file has more functions than a tree shows", async () => {
    const { app } = createTestApp({ code });
    const content = Array.from(
      { length: 300 },
      (_, nth) => `function f${nth}() {\n  return 1;\n}\n`,
    );
    const editor = { filePath: "a.js", language: "javascript", content: content.join("\n") };
    const contextVariables = [{ name: "activeEditor", value: editor }];
    const { actions, text } = await send(app, { command: "unittest", contextVariables });
    const [first] = actions;
    expect(first?.action === "tree" && first.data.nodes.length).toBe(maxNodes);
    expect(text).toContain("Not all next steps are shown");
  });
});

describe("what a refusal repeats is short:", () => {
  test.each([
    ["an unknown agent's name", { agent: "a".repeat(200) }, "/"],
    ["an unknown command's name", { agent: "rightseat", command: "c".repeat(200) }, "/"],
    ["an unknown path", {}, `/${"p".repeat(5_000)}`],
    ["an unknown agent of the path", {}, `/agents/${"p".repeat(5_000)}`],
  ])("%s", async (_, body, path) => {
    const { app } = createTestApp();
    const text = await (await post(app, body, { path })).text();
    expect(text.length).toBeLessThan(1_500);
    expect(text).toContain("…");
  });

  test("a content type, an encoding, a foreign origin", async () => {
    const { app } = createTestApp();
    for (const header of ["content-type", "content-encoding", "origin"]) {
      const headers = { [header]: "x".repeat(5_000) };
      const response = await post(app, copilotRequest("version"), { headers });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect((await response.text()).length).toBeLessThan(500);
    }
  });
});
