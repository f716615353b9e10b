// What stays the same from turn to turn comes first, so that a model's host finds it in its cache.
import { expect, test } from "vitest";
import { Locale } from "../../src/base/errors/locale.ts";
import type { ChatMessage } from "../../src/turn/chat-message.ts";
import { post } from "../helpers/copilot-request.ts";
import { createTestApp } from "../helpers/create-test-app.ts";

const commands = ["chat", "explain", "fix", "optimize", "docstring", "unittest", "unittest-write"];
const cases = Locale.options.flatMap((language) => commands.map((name) => [language, name]));

const first = [
  { name: "userInputPrompt", value: "Why?" },
  { name: "userInfo", value: { id: "1", nickname: "Ann" } },
  { name: "vcs", value: { type: "git", branchName: "main" } },
  {
    name: "activeEditor",
    value: { filePath: "a.ts", language: "typescript", content: "export const a = () => 1;\n" },
  },
];
const code = "export function b(n: number): number {\n  return n;\n}\n";
const second = [
  { name: "userInputPrompt", value: "And what does this do?" },
  { name: "userInfo", value: { id: "2", nickname: "王" } },
  { name: "vcs", value: { type: "git", branchName: "feature/b" } },
  { name: "packageFiles", value: [{ filepath: "package.json", content: "{}" }] },
  {
    name: "knowledgeBase",
    value: [{ references: [{ chunk: "B is the second.", metadata: { fileName: "b.md" } }] }],
  },
  {
    name: "activeEditor",
    value: {
      filePath: "src/b.ts",
      language: "typescript",
      content: `${code}\n${Array.from({ length: 3_000 }, (_, at) => `export const c${at} = ${at};`).join("\n")}`,
      selectedRanges: [{ content: code, startLine: 1, endLine: 3 }],
    },
  },
];

async function messagesOf(language: string, command: string, contextVariables: object[]) {
  const { app, model } = createTestApp();
  await (await post(app, { agent: "rightseat", command, language, contextVariables })).text();
  const [asked] = model.requests;
  return asked?.messages ?? [];
}

test.each(cases)(
  "%s/%s begins alike in two turns about different things",
  async (language, name) => {
    const one = await messagesOf(language ?? "", name ?? "", first);
    const other = await messagesOf(language ?? "", name ?? "", second);
    const systems = (messages: readonly ChatMessage[]) =>
      messages.filter(({ role }) => role === "system");
    expect(systems(one)).toHaveLength(1);
    expect(one[0]?.role).toBe("system");
    expect(systems(other)).toEqual(systems(one));
    // Worked examples belong to what stays; the question with its context comes last.
    expect(other.slice(0, -1)).toEqual(one.slice(0, -1));
    expect(other.at(-1)).not.toEqual(one.at(-1));
  },
);

test("earlier messages come after what stays", async () => {
  const { app, model } = createTestApp();
  const messages = [
    { role: "user", content: "first" },
    { role: "assistant", content: "answer" },
  ];
  const body = { agent: "rightseat", command: "fix", contextVariables: first, messages };
  await (await post(app, body)).text();
  const roles = model.requests[0]?.messages.map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "user", "assistant", "user"]);
  expect(model.requests[0]?.messages[3]).toEqual(messages[0]);
});
