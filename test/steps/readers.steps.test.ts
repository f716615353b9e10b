// Whoever reads text from outside goes on by at least one sign a step, or ends: what a text costs is bounded by its length.
import { expect, test } from "vitest";
import { plainCodeParser } from "../../src/code/plain/analyze-plain.ts";
import { readFencedCode } from "../../src/turn/context/fenced-code.ts";
import { applyCodeEdit } from "../../src/edit/apply-code-edit.ts";
import { applyDiff, parseDiff } from "../../src/edit/read/parse-diff.ts";
import { EditReader } from "../../src/edit/read/edit-reader.ts";
import { ReasoningSplitter } from "../../src/base/text/reasoning.ts";
import { readPluginMessage } from "../../src/doors/plugin/plugin-connection.ts";
import { readCases } from "../../src/flows/test/case-prompt.ts";
import { readPrompt } from "../../src/flows/click/sentences.ts";
import { findNames } from "../../src/flows/place/find-names.ts";
import { parseCases } from "../../src/flows/unittest/unittest.ts";
import { readTests } from "../../src/flows/test/test-file.ts";
import { chunkFile } from "../../src/knowledge/chunk-file.ts";
import { readMarkdown } from "../../src/knowledge/markdown-sections.ts";
import { AnswerReader } from "../../src/model/chat/answer-reader.ts";
import { classifyRefusal, readRefusal } from "../../src/model/chat/refusal.ts";
import { parseArguments } from "../../src/tools/run-call.ts";
import { fitInput } from "../../src/tools/arguments/fit-input.ts";
import { readPlan } from "../../src/tools/edit-plan/apply-plan.ts";
import { CallReader } from "../../src/tools/text-calls/call-reader.ts";
import { createWorkspaceTools } from "../../src/tools/workspace/workspace-tools.ts";
import { createFrameReader } from "../../src/base/wire/sse-frames.ts";
import { createGlobTest } from "../../src/workspace/search/match-glob.ts";
import { createIgnoreRules } from "../../src/workspace/directory/folder-rules.node.ts";
import { seededRandom } from "../helpers/seeded-random.ts";
import { answerOf, chunk, defaultApi } from "../helpers/upstream.ts";
import { samplePattern } from "./sample-pattern.ts";
import { known, stepsOf } from "./steps.ts";

const toolbox = createWorkspaceTools();
const limits = { maxDepth: 32, maxValues: 20_000 };
const fallback = () => ({ id: "ours", model: "m", created: 1 });

/** Takes a text in pieces. */
type Reader = (pieces: readonly string[], text: string, random: () => number) => unknown;

const readers: Readonly<Record<string, Reader>> = {
  "calls in text": (pieces, _, random) => {
    const reader = new CallReader(toolbox);
    for (const piece of pieces) reader.push(piece);
    reader.end({ isStopped: random() < 0.7 });
    for (const call of reader.calls) {
      const parsed = parseArguments(call.arguments);
      const tool = toolbox.find(call.name);
      if (parsed.ok && tool !== undefined) fitInput(tool, parsed.value);
    }
  },
  edits: (pieces, _, random) => {
    const reader = new EditReader({ blocks: random() < 0.5 ? "events" : "text" });
    for (const piece of pieces) reader.push(piece);
    reader.end({ isStopped: random() < 0.7 });
  },
  reasoning: (pieces) => {
    const reader = new ReasoningSplitter();
    for (const piece of pieces) reader.push(piece);
    reader.end();
  },
  "a diff": (_, text) => {
    parseDiff(text);
    applyDiff("a\nb\n", text);
    applyCodeEdit("a\nb\n", text);
  },
  arguments: (_, text) => {
    parseArguments(text);
    parseArguments(`{"target_file": "a", "code_edit": "${text}"}`);
    readPlan(text);
  },
  "frames of text": (pieces) => {
    const reader = createFrameReader(100_000);
    for (const piece of pieces) reader.feed(piece);
    reader.finish();
  },
  "an upstream answer": (_, text, random) => {
    const at = Math.floor(random() * text.length);
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    const frames = [random() < 0.5 ? head : "", answerOf(text, head), tail].join("\n\n");
    const bytes = new TextEncoder().encode(
      random() < 0.3 ? frames.replaceAll("\n", "\r\n") : frames,
    );
    const as = random() < 0.5 ? "frames" : "deltas";
    const reader = new AnswerReader(as, defaultApi.limits, fallback, "read");
    const size = 1 + Math.floor(random() * 200);
    for (let from = 0; from < bytes.length; from += size)
      reader.push(bytes.subarray(from, from + size));
    reader.finish();
  },
  "a refusal": (_, text) => {
    for (const body of [text, chunk({ content: text })])
      classifyRefusal(400, readRefusal(body, "application/json"));
  },
  "a message of a socket": (_, text) => {
    for (const message of [text, JSON.stringify({ request_id: text }), `{"request_id":"${text}"`])
      readPluginMessage(message, limits);
  },
  "words of a person": (_, text) => {
    readFencedCode(text);
    readCases(text);
    readPrompt(text);
    findNames(text);
    readMarkdown(text.split("\n"));
  },
  "test cases and files of tests": (_, text) => {
    parseCases(text);
    return readTests(
      text,
      { path: "", text: "", testPath: "" },
      { code: plainCodeParser, language: "", path: "", signal: new AbortController().signal },
    );
  },
  "patterns of paths": (_, text) => {
    for (const line of text.split("\n")) {
      // Of brackets that stay open the rest is read once for each, so their length is bounded where they come in.
      createGlobTest([line.slice(0, 300)])("src/a.ts");
      createIgnoreRules().below("", line);
    }
  },
};

/** What the readers know, module by module, and the names of the tools; whatever joins them joins here. */
const rooms =
  /^src\/(?:edit\/read|tools|base\/(?:text|wire)|turn|model\/chat|doors\/plugin\/read|flows\/(?:test|click|place))\b/;
const marks = [...known]
  .filter(([path]) => rooms.test(path))
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([, each]) =>
    each.flatMap(namesOf).filter((mark) => typeof mark !== "string" || !isSentence(mark)),
  )
  .filter((each) => each.length > 0);
const signs = [
  "a",
  " ",
  "\n",
  "\r\n",
  ...Array.from("<>{}[]()\"'`:,=/\\-+@#*~|"),
  "src/a.ts",
  "中",
  "\u{1F600}",
];

/** What models put around the names of tools and of their fields. */
const dresses = ["<x>", "</x>", "<|x|>", "<｜x｜>", "[x]", "[/x]", "<x=", 'x="'];

/** A list of names in one text. */
function namesOf<Mark>(mark: Mark): (Mark | string)[] {
  const names = typeof mark === "string" ? mark.trim().split(" ") : [];
  return names.length > 2 && names.every((name) => /^[\w-]+$/.test(name)) ? names : [mark];
}

function isSentence(text: string): boolean {
  return text.length > 40 || text.split(" ").length > 4 || /\p{Script=Han}{8}/u.test(text);
}

/** Marks of one module often come together. */
function textOf(random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];
  let room = pick(marks);
  const parts = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    if (random() < 0.4) return pick(signs) ?? "";
    if (random() < 0.4) room = pick(marks);
    const mark = pick(room ?? []) ?? "";
    const text = typeof mark === "string" ? mark : samplePattern(mark, random);
    const sign = random() < 0.15 ? (pick(dresses)?.replace("x", () => text) ?? "") : text;
    return random() < 0.2 ? `\n${sign}` : sign;
  });
  return parts.join("");
}

function cut(text: string, random: () => number): string[] {
  const pieces: string[] = [];
  const most = random() < 0.5 ? 3 : 40;
  for (let at = 0; at < text.length;) {
    const length = 1 + Math.floor(random() * most);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** In each run the same, unless PROPERTY_SEED says otherwise. */
const seed = Number(import.meta.env["PROPERTY_SEED"] || 20_261_123);
const many = Number(import.meta.env["HOSTILE_TEXTS"] || 2_000);
/** In characters; some texts are made as long by repeating them. */
const long = 2_000;
/** Loops and calls for each character, and for a hundred that all texts have besides. */
const most = 500;

test("the marks come from the tables and patterns of the readers", () => {
  const all = marks.flat();
  expect(all.length).toBeGreaterThan(500);
  for (const mark of ["<think>", "search_replace", "edit_file", "attempt_completion"])
    expect(all).toContain(mark);
});

test.each(Object.entries(readers))(
  "%s: each step goes on by a sign, or it is the last",
  async (_, read) => {
    const random = seededRandom(seed);
    for (let nth = 0; nth < many; nth += 1) {
      const one = textOf(random);
      const text = random() < 0.02 ? one.repeat(Math.ceil(long / (one.length + 1))) : one;
      const pieces = cut(text, random);
      const limit = most * (text.length + 100);
      const steps = await stepsOf(limit, () => read(pieces, text, random));
      if (steps > limit) expect.fail(`More than ${limit} steps for ${JSON.stringify(text)}`);
    }
  },
);

test("fences that nothing closes cost a text of knowledge as many steps as it has lines", async () => {
  const lines = 20_000;
  const steps = await stepsOf(1e9, () => chunkFile("a.md", "```ts\n".repeat(lines)));
  expect(steps).toBeLessThan(50 * lines);
});
