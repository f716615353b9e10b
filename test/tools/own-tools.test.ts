// Tools of a library user: what may be offered, and how the agent calls them.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { buildStatus } from "../../examples/own-tool.ts";
import { type AnyTool, Toolbox, checkTools } from "../../src/tools/tool.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { send } from "../helpers/copilot-client.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import { createTestCoding, toolCall } from "../helpers/loop-app.ts";

const plain: AnyTool = buildStatus(async () => "running");
const named = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({ ...plain, name, ...more });

describe("the agent with a tool of one's own", () => {
  const finish = [toolCall("finish", { response: "It passed." })];
  const poll = [toolCall("build_status", { build: "7" })];

  async function work(statuses: readonly string[], tool = buildStatus) {
    let asked = 0;
    const own = tool(async () => statuses[asked++] ?? "passed");
    const scripts = [...statuses.map(() => poll), finish];
    const coding = await createTestCoding({ "a.js": "a();\n" });
    const { app, model } = createTestApp({ models: scripts, coding, tools: [own] });
    const { text } = await send(app, { command: "code", prompt: "Is build 7 good?" });
    return { text, asked, model };
  }

  test("offers it to the model, runs it and shows the model what came of it", async () => {
    const { text, model, asked } = await work(["passed"]);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toContain("build_status");
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("passed");
    expect([asked, text.includes("It passed.")]).toEqual([1, true]);
  });

  test("is not stopped by the same result where the tool says that it may stay the same", async () => {
    const statuses = ["running", "running", "running", "running", "passed"];
    const { asked, text } = await work(statuses);
    expect([asked, text.includes("It passed.")]).toEqual([5, true]);
    const guarded = await work(statuses, (read) => {
      const { mayRepeat: _, ...tool } = buildStatus(read);
      return tool;
    });
    expect([guarded.asked, guarded.text.includes("It passed.")]).toEqual([3, false]);
  });

  test("takes a tool in the place of ours with the same name, however that is spelled", () => {
    const own = named("readFile");
    const { tools, names } = createWorkspaceTools({}, [own]);
    expect(tools.filter((tool) => tool === own)).toHaveLength(1);
    expect([names.includes("read_file"), names.length]).toEqual([
      false,
      createWorkspaceTools().names.length,
    ]);
  });
});

describe("what may be offered is checked when the app is made", () => {
  interface Node {
    text: string;
    under?: Node[] | undefined;
  }
  const node: z.ZodType<Node> = z.lazy(() =>
    z.object({ text: z.string(), under: z.array(node).optional() }),
  );

  test("our own tools pass", () => {
    expect(() => checkTools(createWorkspaceTools().tools)).not.toThrow();
  });

  test.each([
    ["a dot", [named("build.status")]],
    ["no letter", [named("")]],
    ["a digit first", [named("7zip")]],
    ["a space", [named("build status")]],
    ["another script", [named("构建")]],
    ["65 characters", [named("a".repeat(65))]],
    ["a dot in another name", [named("build", { otherNames: ["ci.build"] })]],
    ["two of one name", [named("build_status"), named("buildStatus")]],
    ["the agent's own name", [named("Finish")]],
    ["no object", [named("build", { input: z.string() })]],
    ["a value without JSON", [named("build", { input: z.object({ a: z.date() }) })]],
    ["a field that servers refuse", [named("build", { input: z.object({ "a b": z.string() }) })]],
  ])("%s is refused with the name of the tool", (_, tools) => {
    expect(() => createTestApp({ tools })).toThrow(/^The tool "[^"]*" cannot be offered: .+\.$/);
  });

  test.each(["a", "A_b-9", "a".repeat(64)])("%s is a name", (name) => {
    expect(() => checkTools([named(name)])).not.toThrow();
  });

  test.each([
    ["a field", z.object({ tree: node })],
    ["the input itself", node],
    ["the input with an id", z.object({ tree: node }).meta({ id: "Tree" })],
  ])("a recursive schema in %s brings all definitions that it refers to", (_, input) => {
    checkTools([named("build", { input, fields: {} })]);
    const [offered] = new Toolbox([named("build", { input, fields: {} })]).offer("en");
    const parameters: Readonly<Record<string, unknown>> = offered?.parameters ?? {};
    const printed = JSON.stringify(parameters);
    const references = [...printed.matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = ""]) => to);
    expect([parameters["type"], references.length > 0]).toEqual(["object", true]);
    for (const reference of references) {
      const found = reference
        .split("/")
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], parameters);
      expect(found).toMatchObject({ type: "object" });
    }
  });
});
