import { cliTexts } from "../../../../src/cli/texts.ts";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createPerson, type Person } from "../../../../src/cli/code/ask.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import type { Locale } from "../../../../src/base/errors/locale.ts";
import type { FileChange } from "../../../../src/workspace/workspace.ts";
import { Screen } from "../../call/screen.ts";

const [down, enter, interrupt] = ["\u001b[B", "\r", "\u0003"];
const texts = cliTexts("en");

/** Asks a person who presses these keys at each question. */
function ask<Result>(
  question: (person: Person, input: PassThrough) => Promise<Result>,
  ...screens: (readonly string[])[]
): Promise<{ result: Result; seen: string }> {
  return askIn("en", question, ...screens);
}

async function askIn<Result>(
  locale: Locale,
  question: (person: Person, input: PassThrough) => Promise<Result>,
  ...screens: (readonly string[])[]
): Promise<{ result: Result; seen: string }> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const output = new Screen();
  const left = [...screens];
  let [seen, shown] = ["", ""];
  output.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
    shown += chunk.toString();
    if (!stripVTControlCharacters(shown).includes("◆  ")) return;
    shown = "";
    const keys = left.shift() ?? [];
    // The prompt listens once it is drawn.
    setImmediate(() => keys.forEach((key) => input.write(key)));
  });
  const stopped = new AbortController();
  const person = createPerson({
    terminal: createTerminal(output, new PassThrough()),
    streams: { input, output },
    texts: cliTexts(locale),
    signal: stopped.signal,
    rest: () => {},
    stop: () => stopped.abort(new Error("Ctrl-C")),
  });
  const result = await question(person, input);
  return { result, seen: stripVTControlCharacters(seen) };
}

const change: FileChange = { path: "src/a.js", before: { text: "a\n", hash: "h" }, after: "b\n" };
const diff = "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,1 @@\n-a\n+b\n";
const question = {
  kind: "change" as const,
  guard: undefined,
  changes: [change],
  diff,
  why: "It is\u001b[31m better.",
};

test("the diff, the model's reason and the question are shown, and a yes is a yes", async () => {
  const { result, seen } = await ask((person) => person.judge(question), [enter]);
  expect(result).toEqual({ kind: "yes" });
  expect(seen).toContain(diff);
  expect(seen).toContain("The model's reason, in its own words: It is\\x1b[31m better.");
  expect(seen).toContain("Write this change to src/a.js?");
});

test("in Chinese no space follows the colon before the model's reason", async () => {
  const { seen } = await askIn("zh", (person) => person.judge({ ...question, why: "更好" }), [
    enter,
  ]);
  expect(seen).toContain("模型自己给出的理由：更好");
});

test("a guarded file says why it is asked for, and all is not offered", async () => {
  const { result, seen } = await ask(
    (person) => person.judge({ ...question, guard: "other" }),
    [down, enter],
  );
  expect(result).toEqual({ kind: "no" });
  expect(seen).toContain("This file is always asked for: it is not source code");
  expect(seen).not.toContain(texts.all);
});

test("all, no, and a no with a reason can be chosen", async () => {
  const judge = (person: Person) => person.judge(question);
  expect((await ask(judge, [down, enter])).result).toEqual({ kind: "all" });
  expect((await ask(judge, [down, down, enter])).result).toEqual({ kind: "no" });
  const why = await ask(judge, [down, down, down, enter], ["keep a", enter]);
  expect(why.result).toEqual({ kind: "no", why: "keep a" });
});

test("a file that comes and one that goes are named as such", async () => {
  const judge = (given: Partial<FileChange>) => (person: Person) =>
    person.judge({ ...question, diff: "", changes: [{ ...change, ...given }] });
  const created = await ask(judge({ before: undefined, after: "" }), [enter]);
  expect(created.seen).toContain("(an empty file)");
  expect(created.seen).toContain("Create src/a.js like this?");
  expect((await ask(judge({ after: undefined }), [enter])).seen).toContain("Delete src/a.js?");
});

test("a name cannot draw on the screen", async () => {
  const path = "a\u001b[2J\u202e\nb.js";
  const { seen } = await ask((person) => person.judge({ kind: "read", path, why: "" }), [enter]);
  expect(seen).toContain("Send a\\x1b[2J\\u202e\\nb.js to the model?");
});

test("the check is shown word by word, with files that have changed", async () => {
  const { result, seen } = await ask(
    (person) =>
      person.judge({
        kind: "check",
        command: ["node", "a b; rm -rf /"],
        changed: ["package.json"],
      }),
    [down, enter],
  );
  expect(result).toEqual({ kind: "no" });
  expect(seen).toContain('"node" "a b; rm -rf /"');
  expect(seen).toContain("decide what the check runs: package.json");
});

test("what is typed before a question and between two answers neither", async () => {
  const { result } = await ask(
    async (person, input) => {
      const answers: unknown[] = [];
      for (let nth = 0; nth < 3; nth += 1) {
        input.write(down + down + enter);
        answers.push(await person.judge(question));
      }
      return answers;
    },
    [enter],
    [enter],
    [down, enter],
  );
  expect(result).toEqual([{ kind: "yes" }, { kind: "yes" }, { kind: "all" }]);
});

test("a question of the model's is answered by a choice, or by what they type", async () => {
  const asked = { question: "Which\u001b[2J one?", choices: ["The \u202eleft", "The right"] };
  const { result, seen } = await ask((person) => person.answer(asked), [down, enter]);
  expect(result).toBe("The right");
  expect(seen).toContain("Which\\x1b[2J one?");
  expect(seen).toContain("The \\u202eleft");
  const other = await ask((person) => person.answer(asked), [down + down + enter], ["none", enter]);
  expect(other.result).toBe("none");
  const open = { question: "Why?", choices: [] };
  expect((await ask((person) => person.answer(open), ["so", enter])).result).toBe("so");
});

test("a command is shown word by word with its folder, and that a shell runs it", async () => {
  const call = (command: string[]) => ({
    tool: "run_command",
    target: "/home/ada/sh\u202eop",
    arguments: { command },
  });
  const plain = await ask(
    (person) =>
      person.judge({
        kind: "call",
        call: call(["npm", "run a\u001b[2J"]),
        mayBeAll: true,
      }),
    [down, enter],
  );
  expect(plain.result).toEqual({ kind: "all" });
  expect(plain.seen).toContain('"npm" "run a\\x1b[2J"');
  expect(plain.seen).toContain("In the folder /home/ada/sh\\u202eop");
  expect(plain.seen).not.toContain(texts.shellLine);
  for (const program of ["/bin/sh", "bash", "cmd.exe"]) {
    const { seen } = await ask(
      (person) => person.judge({ kind: "call", call: call([program, "-c", "x"]), mayBeAll: true }),
      [enter],
    );
    expect(seen).toContain(texts.shellLine);
  }
});

test("another call is shown with all that would be sent, and a yes is for once", async () => {
  const call = {
    tool: "createPet",
    target: "pets.example",
    arguments: { name: "a\nb", tags: [1] },
  };
  const { result, seen } = await ask(
    (person) => person.judge({ kind: "call", call, mayBeAll: false }),
    [down, enter],
  );
  expect(result).toEqual({ kind: "no" });
  expect(seen).toContain("The tool createPet at pets.example, with:");
  expect(seen).toContain('  name: "a\\nb"');
  expect(seen).toContain("  tags: [1]");
});

test("of questions that come at once, one is asked after the other", async () => {
  const { result } = await ask(
    (person) =>
      Promise.all([
        person.judge({ kind: "read", path: ".env", why: "" }),
        person.answer({ question: "Which?", choices: ["a", "b"] }),
        person.judge(question),
      ]),
    [enter],
    [down, enter],
    [down, enter],
  );
  expect(result).toEqual([{ kind: "yes" }, "b", { kind: "all" }]);
});

test("Ctrl-C at a question ends the run", async () => {
  const judge = (person: Person) => person.judge(question);
  await expect(ask(judge, [interrupt])).rejects.toThrow("Ctrl-C");
});
