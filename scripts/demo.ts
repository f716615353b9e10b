// Shows what a person at an IDE sees: starts the real server with the offline model, asks it to
// explain a function of this project, and prints the answer as it streams, then the buttons. Then what
// a person at a terminal sees, who has the coding agent change a small project.
import { readFileSync } from "node:fs";
import { EventSourceParserStream } from "eventsource-parser/stream";
import * as z from "zod";
import { startServer } from "../src/start-server.node.ts";
import { Action, type ConfirmAction } from "../src/turn/action.ts";
import { showCodingAgent } from "./demo-code.ts";

const file = "src/run/run-turn.ts";
const functionStart = "export async function* settle(";

const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().nullish() }) })),
});

/** What came of the answer, to see that nothing is missing. */
interface Answer {
  text: string;
  buttons: ConfirmAction[];
  hasEndMarker: boolean;
}

async function main(): Promise<void> {
  const server = await startServer({ environment: { RIGHTSEAT_PORT: "0" } });
  try {
    const url = `${server.url}/agents/${server.agents[0] ?? ""}`;
    const body = createRequest(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
    print(`$ ${toCurl(url, body)}\n\n`);
    const answer = await ask(url, body);
    for (const [index, { data }] of answer.buttons.entries()) {
      print(`\n  ${index + 1}. ${data.title} (${data.message})`);
    }
    print("\n");
    const missing = findMissing(answer);
    if (missing !== undefined) throw new Error(`The answer has no ${missing}.`);
  } finally {
    await server.close();
  }
  print("\n");
  await showCodingAgent();
}

/** What an IDE sends when a person selects a function and picks "explain". */
function createRequest(content: string): object {
  const lines = content.split("\n");
  const first = lines.findIndex((line) => line.startsWith(functionStart));
  const last = lines.indexOf("}", first);
  if (first < 0 || last < 0) throw new Error(`${file} has no function "settle" any more.`);
  const before = lines.slice(0, first).join("\n");
  const selection = {
    content: lines.slice(first, last + 1).join("\n"),
    startLine: first + 1,
    startColumn: 1,
    endLine: last + 1,
    endColumn: 2,
  };
  const values = {
    userInputPrompt: "What is this function for?",
    userInfo: { id: "u1", name: "ada", nickname: "Ada" },
    vcs: { type: "git", branchName: "main" },
    activeEditor: {
      filePath: file,
      language: "typescript",
      content,
      cursorOffset: before.length + 1,
      selectedRanges: [selection],
    },
  };
  return {
    command: "explain",
    contextVariables: Object.entries(values).map(([name, value]) => ({ name, value })),
  };
}

/** The request as a command; the file's text, which it holds twice, is shortened in print. */
function toCurl(url: string, body: object): string {
  const json = JSON.stringify(body, shorten, 2).replaceAll("'", "'\\''");
  return `curl -N ${url} -H 'content-type: application/json' -d '${json}'`;
}

function shorten(key: string, value: unknown): unknown {
  return key === "content" && typeof value === "string" ? `${value.slice(0, 24)}...` : value;
}

/** Prints the text as it comes, and gathers all of it. */
async function ask(url: string, body: object): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok || response.body === null) {
    throw new Error(`The server refused with ${response.status}: ${await response.text()}`);
  }
  const answer: Answer = { text: "", buttons: [], hasEndMarker: false };
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events) {
    if (data === "[DONE]") answer.hasEndMarker = true;
    else if (event === "copilot_action") {
      const action = Action.parse(JSON.parse(data));
      if (action.action === "confirm") answer.buttons.push(action);
    } else {
      const text = Chunk.parse(JSON.parse(data)).choices[0]?.delta.content ?? "";
      print(text);
      answer.text += text;
    }
  }
  return answer;
}

function findMissing({ text, buttons, hasEndMarker }: Answer): string | undefined {
  if (text.trim() === "") return "text";
  if (buttons.length === 0) return "buttons";
  return hasEndMarker ? undefined : "end marker";
}

function print(text: string): void {
  process.stdout.write(text);
}

await main();
