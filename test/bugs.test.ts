// Each test fails on the src of 03:12; move each to the file of the mirrored folder with its fix.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import * as z from "zod";
import { parseConfig } from "../src/config.ts";
import { narrowEditor, renderActiveEditor } from "../src/context/active-editor.ts";
import { parseContext } from "../src/context/context.ts";
import { estimateTokens } from "../src/context/tokens.ts";
import { withoutCredentials } from "../src/context/vcs.ts";
import { AppError } from "../src/errors/app-error.ts";
import { parseLocale } from "../src/errors/locale.ts";
import { scriptedModel } from "../src/model/scripted.ts";
import { type Prompt, buildPrompt } from "../src/prompt/build-prompt.ts";
import { cutToTokens } from "../src/prompt/cut-to-tokens.ts";
import { compilePlain } from "../src/prompt/plain-template.ts";
import { createPromptLibrary } from "../src/prompt/prompt-library.ts";
import { TemplateProblem, createTemplateEngine } from "../src/prompt/template.ts";
import { settle } from "../src/turn/settle.ts";
import type { Turn } from "../src/turn/turn.ts";
import type { TurnEvent } from "../src/turn/turn-event.ts";
import { compileCheck } from "../src/wire/compile-check.ts";
import { FrameTooLarge, createFrameReader } from "../src/wire/frame-reader.ts";
import { createWebExchange } from "../src/wire/web-exchange.ts";

const limits = { templateLength: 200_000, renderTime: 500, renderMemory: 100_000_000 };
const never = new AbortController().signal;

function build(template: string, variables: { name: string; value: unknown }[], budget: number, history: Turn["history"] = []): Prompt {
  const turn = {
    id: "t", agent: "a", command: "x", definition: { name: "a" }, messageTemplates: undefined, modelConfiguration: {},
    context: parseContext(variables).context, history, locale: "en", caller: { forward: () => ({}) },
    model: scriptedModel([], { contextWindow: budget + 100, answerReserve: 100 }), modelId: undefined, extra: {}, signal: never,
  } satisfies Turn;
  return buildPrompt(turn, [{ role: "user", template }], createTemplateEngine({ ...limits, renderTime: 5_000 }));
}
async function typesOf(events: AsyncIterable<TurnEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of settle(events, never)) types.push(event.type);
  return types;
}
const error = new AppError("internal", "x");

test("of 10,000 references as many stay as fit", () => {
  const references = Array.from({ length: 10_000 }, (_, index) => ({ score: index, chunk: "word ".repeat(20), metadata: { fileName: `/docs/${index}.md` } }));
  const { receipt } = build("{{ knowledgeBase }}\n{{ userInputPrompt }}", [{ name: "userInputPrompt", value: "Why?" }, { name: "knowledgeBase", value: [{ references }] }], 20_000);
  expect(receipt.tokens).toBeGreaterThan(10_000);
});
test("knowledge and history stay when leaving out the package files is enough", () => {
  const variables = [
    { name: "userInputPrompt", value: "q" },
    { name: "packageFiles", value: [{ filepath: "src/some/deep/path/package.json", content: "{}" }] },
    { name: "knowledgeBase", value: [{ references: [{ score: 1, chunk: "a b c" }] }] },
  ];
  const history = [{ role: "user" as const, content: "earlier" }];
  const text = "{{ packageFiles }}\n{{ knowledgeBase }}\n{{ userInputPrompt }}";
  const whole = build(text, variables, 9_999, history).receipt.tokens ?? 0;
  expect(build(text, variables, whole - 12, history).receipt.cut).toEqual(["packageFiles: 1 of 1"]);
});
test("rules without text are dropped, and rules alone are no prompt", () => {
  const rule = (content: string) => ({ name: "globalPrompts", value: [{ role: "system", content }] });
  expect(build("Why?", [rule("")], 999).messages).toHaveLength(1);
  expect(() => build("{{ userInputPrompt }}", [rule("Be brief.")], 999)).toThrow(AppError);
});
test("a plain template that prints too much, or for too long, is a TemplateProblem", () => {
  const engine = createTemplateEngine(limits);
  expect(() => engine.compile("{{ a }}".repeat(20_000)).render({ a: "x".repeat(100_000) })).toThrow(TemplateProblem);
});
test("plain paths index texts, and operators alone are left to Liquid", () => {
  expect(compilePlain("{{ a[0] }}")?.({ a: "xyz" }) ?? "x").toBe("x");
  for (const word of ["contains", "and", "or", "not"]) expect(compilePlain(`{{ ${word} }}`)).toBeUndefined();
  expect(compilePlain("{{ a\uFEFF}}")?.({ a: 1 }) ?? "").toBe("");
});
test("an unknown role is refused by the prompt file's name", () => {
  expect(() => createPromptLibrary({ "zh/bad": "--- robot\nA" })).toThrow(/zh\/bad/);
});
test("a final line end is no line that was cut", () => {
  expect(cutToTokens("aaaa\nbbbb\n", 1)).toBe("[2 lines cut]");
});
test("nothing follows turn-end when letting go of the source fails", async () => {
  expect(await typesOf((async function* (): AsyncGenerator<TurnEvent> { try { yield { type: "turn-end", reason: "stop" }; } finally { throw error; } })())).toEqual(["turn-end"]);
});
test("a source that told its failure itself is not told to have failed twice", async () => {
  expect(await typesOf((async function* (): AsyncGenerator<TurnEvent> { yield { type: "turn-error", error }; throw error; })())).toEqual(["turn-error", "turn-end"]);
  expect(await typesOf((async function* (): AsyncGenerator<TurnEvent> { yield { type: "turn-error", error }; })())).toEqual(["turn-error", "turn-end"]);
});
test("a selection in the first line is printed without the file's content", () => {
  expect(renderActiveEditor({ selectedRanges: [{ content: "let a;", startLine: 1, endLine: 1 }] })).toContain("> 1 | let a;");
});
test("the heading does not end a selection before its last line", () => {
  const text = renderActiveEditor({ content: "a\nb\nc\nd\n", selectedRanges: [{ content: "b\nc\n", startLine: 2, startColumn: 1, endLine: 4, endColumn: 1 }] });
  expect(text).not.toContain("2:1 to 3:1");
});
test("narrowing an editor without content invents none", () => {
  expect(narrowEditor({ selectedRanges: [{ content: "x", startLine: 10, endLine: 10 }] }, 0).content ?? "").toBe("");
});
test("credentials go wherever the address stands", () => {
  for (const remote of [" https://u:p@h/x", "origin\thttps://u:p@h/x (fetch)"]) expect(withoutCredentials(remote)).not.toContain("u:p");
});
test("every file of ours is estimated at no less than its tokens", () => {
  const root = join(import.meta.dirname, "../..");
  const low = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => { const text = readFileSync(path, "utf8"); return text.length > 400 && estimateTokens(text) < encode(text).length; });
  expect(low.map((path) => relative(root, path))).toEqual([]);
});
test("blanks before a weight are no part of a tag", () => {
  expect(parseLocale("en ;q=0.5, zh")).toBe("en");
});
test("an event over the limit is refused when it comes in one piece", () => {
  expect(() => createFrameReader(10).feed(`data: ${"x".repeat(100)}\n\n`)).toThrow(FrameTooLarge);
});
test("the compiled check judges as its schema", () => {
  const wrong: [z.ZodType, unknown][] = [
    [z.array(z.string()).min(1), ["a"]], [z.strictObject({ a: z.string() }), { a: "", b: 1 }], [z.email(), "x"], [z.int32(), 1.5], [z.object({ a: z.unknown() }), {}],
  ];
  expect(wrong.map(([schema, value]) => compileCheck(schema)(value))).toEqual(wrong.map(([schema, value]) => schema.safeParse(value).success));
  for (const schema of [z.string().trim(), z.union([z.string().transform(Number), z.number()]), z.lazy(() => z.string().default(""))]) expect(() => compileCheck(schema)).toThrow(TypeError);
});
test("an abort wakes who waits for the client, and each who waits is woken", async () => {
  const controller = new AbortController();
  const { sink } = createWebExchange(new Request("http://localhost/", { signal: controller.signal })).open({});
  sink.write(new Uint8Array(70_000));
  let woken = 0;
  for (let index = 0; index < 2; index++) void sink.drained().then(() => (woken += 1));
  controller.abort();
  await setImmediate();
  expect(woken).toBe(2);
});
test("a client that leaves after the end has not left", async () => {
  const controller = new AbortController();
  const exchange = createWebExchange(new Request("http://localhost/", { signal: controller.signal }));
  let closes = 0;
  exchange.onClose(() => (closes += 1));
  const { sink, response } = exchange.open({});
  sink.end("x");
  await response.text();
  controller.abort();
  expect(closes).toBe(0);
});
test("keys without any text are a mistake and not an open door", () => {
  expect(() => parseConfig({ RIGHTSEAT_API_KEYS: "," })).toThrow();
  expect(() => parseConfig({}, { apiKeys: [""] })).toThrow();
});
test("the address that is listened on is served", () => {
  expect(parseConfig({ HOST: "127.0.0.2" }).allowedHosts).toContain("127.0.0.2");
});
