// Whole responses of the flows on files of six languages, with the grammars of the product. To record them
// anew: npx vitest run -u --project node test/doors/copilot/golden-languages.test.ts
import { describe, expect, test } from "vitest";
import type { Script } from "../../../src/testing.ts";
import { post, printResponse } from "../../helpers/copilot-request.ts";
import { Action } from "../../../src/turn/action.ts";
import { createFrameReader } from "../../../src/base/wire/sse-frames.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { readAnswers, readSource } from "../../helpers/language-answers.ts";
import {
  type LanguageCase,
  type LanguageFile,
  languageFiles,
} from "../../helpers/language-cases.ts";
import { code } from "../../helpers/code-parser.ts";

/** Chinese sentences are the same whatever the language of the code. */
const localesOf = ({ language }: LanguageFile): string[] =>
  language === "typescript" ? ["en", "zh"] : ["en"];
const user = { name: "userInfo", value: { id: "u-17", name: "ada", nickname: "Ada" } };

/** What an IDE posts for a case; `clicked` is the prompt of what the person has clicked. */
function requestOf(file: LanguageFile, asked: LanguageCase, language: string, clicked?: string) {
  const content = readSource(file.source);
  const prompt = clicked ?? asked.prompt?.[language];
  const activeEditor = {
    filePath: file.path,
    language: file.language,
    content,
    ...(asked.cursor === undefined ? {} : { cursorOffset: offsetOf(content, asked.cursor) }),
    selectedRanges: asked.lines === undefined ? [] : [rangeOf(content, asked.lines)],
  };
  const contextVariables = [
    user,
    { name: "activeEditor", value: activeEditor },
    { name: "packageFiles", value: [file.packageFile] },
    ...(prompt === undefined ? [] : [{ name: "userInputPrompt", value: prompt }]),
  ];
  return { agent: "rightseat", command: asked.command, language, contextVariables };
}

function offsetOf(content: string, cursor: string): number {
  const offset = content.indexOf(cursor);
  if (offset === -1) throw new Error(`"${cursor}" stands nowhere in the file.`);
  return offset;
}

function rangeOf(content: string, [startLine, endLine]: readonly [number, number]) {
  const lines = content.split("\n").slice(startLine - 1, endLine);
  const endColumn = (lines.at(-1) ?? "").length + 1;
  return { content: lines.join("\n"), startLine, startColumn: 1, endLine, endColumn };
}

function scriptsOf(file: LanguageFile, name: string, locale: string): Script[] {
  const isAsked = caseOf(file, name).isWithoutModel !== true;
  return isAsked ? readAnswers(file.language, name, locale) : [];
}

/** The whole response, after the click on the answer of the case before, if there is one. */
async function answer(file: LanguageFile, name: string, locale: string): Promise<string> {
  const asked = caseOf(file, name);
  const { follow } = asked;
  const before = follow === undefined ? [] : scriptsOf(file, follow.name, locale);
  const scripts = [...before, ...scriptsOf(file, name, locale)];
  const { app, model } = createTestApp({ models: scripts, code });
  let clicked: string | undefined;
  if (follow !== undefined) {
    const first = await post(app, requestOf(file, caseOf(file, follow.name), locale));
    clicked = promptIn(await first.text(), follow.click);
  }
  const response = await post(app, requestOf(file, asked, locale, clicked));
  const printed = await printResponse(response);
  expect(model.requests).toHaveLength(scripts.length);
  return printed;
}

function caseOf({ cases }: LanguageFile, name: string): LanguageCase {
  const found = cases[name];
  if (found === undefined) throw new Error(`There is no case "${name}".`);
  return found;
}

/** What a click sends, of the button or node whose prompt holds the text. */
function promptIn(response: string, click: string): string {
  const frames = createFrameReader(response.length + 1).feed(response);
  const prompts = frames
    .filter(({ event }) => event === "copilot_action")
    .map(({ data }) => Action.parse(JSON.parse(data)))
    .flatMap((action) =>
      action.action === "confirm"
        ? [action.data.prompt ?? ""]
        : action.data.nodes.map(({ prompt }) => prompt ?? ""),
    );
  const found = prompts.find((prompt) => prompt.includes(click));
  if (found === undefined) throw new Error(`Nothing that sends "${click}" can be clicked.`);
  return found;
}

/** Sealed states are random. */
function withoutStates(response: string): string {
  return response.replaceAll(/"state":"v1\.[^"]+"/g, '"state":"(sealed)"');
}

describe.each(languageFiles)("$language", (file) => {
  describe.each(localesOf(file))("in %s", (locale) => {
    test.each(Object.keys(file.cases))("the whole response to %s is as recorded", async (name) => {
      const folder = `../../fixtures/copilot/languages/${file.language}`;
      const response = withoutStates(await answer(file, name, locale));
      await expect(response).toMatchFileSnapshot(`${folder}/${name}.${locale}.sse`);
    });
  });

  test("the framework and the path of the tests come from the package file", async () => {
    const { app, model } = createTestApp({ code });
    await (await post(app, requestOf(file, caseOf(file, "unittest-write"), "en"))).text();
    const asked = model.requests[0]?.messages.at(-1)?.content;
    expect(asked).toContain(`# Test framework\n\n${file.framework}\n`);
    expect(asked).toContain(`# Path of the test file\n\n${file.testPath}\n`);
  });
});
