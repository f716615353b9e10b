// `rightseat acp` as an editor starts it: over standard input and output, with the client side of the official package.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { type EditorOptions, openEditor, startAcp } from "../helpers/acp-client.ts";
import {
  type ModelStep,
  coderSettings,
  createProject,
  edit,
  finish,
  startCoder,
} from "../helpers/e2e-code.ts";

vi.setConfig({ testTimeout: 60_000 });

const cart = "export function total(prices) {\n  return prices.length;\n}\n";
const fixed = cart.replace("length", "size");
const block = `<<<<<<< SEARCH\n${cart.split("\n")[1]}\n=======\n${fixed.split("\n")[1]}\n>>>>>>> REPLACE`;

async function open(steps: readonly ModelStep[], options: EditorOptions = {}, language = "en") {
  const project = createProject({ "cart.js": cart, "b.js": "export const b = 1;\n" });
  const mock = await startCoder(steps);
  const program = startAcp(coderSettings(project, mock), ["--language", language]);
  const editor = await openEditor(program.stream(), options);
  const { sessionId, modes } = await editor.agent.request("session/new", {
    cwd: project.folder,
    mcpServers: [],
  });
  const link = (mark = "") => ({
    type: "resource_link" as const,
    name: "cart.js",
    uri: `${pathToFileURL(join(project.folder, "cart.js")).href}${mark}`,
  });
  return { project, mock, program, editor, sessionId, modes, link };
}

test("explain, the next step by its number, permission, and the file is changed", async () => {
  const steps = [{ content: "It counts the prices." }, { content: block }];
  const { project, editor, sessionId, link } = await open(steps, { choices: ["yes"] });
  expect(await editor.prompt(sessionId, "/explain", link("#L1:3"))).toBe("end_turn");
  expect(await editor.prompt(sessionId, "/fix")).toBe("end_turn");
  expect(project.read("cart.js")).toBe(fixed);
});

test("the coding agent", async () => {
  const steps = [
    {
      content: "I look.",
      calls: [["read_file", { target_file: "cart.js" }]] as [string, object][],
    },
    { calls: [edit("cart.js", "total", "sum")] },
    finish(),
  ];
  const { project, editor, sessionId } = await open(steps, { choices: ["yes"] });
  expect(await editor.prompt(sessionId, "rename total to sum")).toBe("end_turn");
  expect(project.read("cart.js")).toContain("sum");
});
