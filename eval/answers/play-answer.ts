import { languageOf } from "../../src/turn/context/language.ts";
import type { CodeParser } from "../../src/code/code-analysis.ts";
import { type Script, scriptedModel } from "../../src/testing.ts";
import type { PromptFiles } from "../../src/prompt/prompt-library.ts";
import { parseConfig } from "../../src/setup/config.ts";
import type { AgentDefinition } from "../../src/turn/agent-definition.ts";
import { type ContextValues, createAgent } from "../create-agent.ts";
import { readAnswer } from "../read-answer.ts";
import { judgeAnswer, type AnswerVerdict } from "./judge-answer.ts";
import type { LoadedAnswer } from "./load-answers.ts";

export interface PlayParts {
  agents: readonly AgentDefinition[];
  promptFiles: PromptFiles;
  code: CodeParser;
}

export interface PlayedAnswer extends AnswerVerdict {
  id: string;
  form: string;
  family: string;
  /** Questions to the model. */
  calls: number;
}

/** In characters: models send about so much at a time. */
const pieceLength = 9;

/** Plays an answer through its flow, in pieces as a model sends it. It does not throw. */
export async function playAnswer(
  one: LoadedAnswer,
  { agents, promptFiles, code }: PlayParts,
  signal: AbortSignal,
): Promise<PlayedAnswer> {
  const { id, form, family, language: locale } = one;
  const model = scriptedModel(toScripts(one));
  const config = parseConfig({});
  const chosen = { name: model.name, model, modelId: undefined };
  const agent = createAgent({ config, agents, promptFiles, code, chosen, locale });
  let verdict: AnswerVerdict;
  try {
    const { response } = await agent.ask(one.command, toValues(one), signal);
    verdict = judgeAnswer(one, await readAnswer(response, signal), model.requests.length);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    verdict = { outcome: "wrong", isAsExpected: false, why };
  }
  return { id, form, family, calls: model.requests.length, ...verdict };
}

function toScripts({ answer, reasoning, second, end }: LoadedAnswer): Script[] {
  const thoughts = reasoning === undefined ? [] : cut(reasoning);
  const first: Script = [
    ...thoughts.map((text) => ({ type: "reasoning-delta", text }) as const),
    ...cut(answer),
    ...(end === undefined ? [] : [{ end }]),
  ];
  return second === undefined ? [first] : [first, cut(second)];
}

function cut(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, nth) =>
    text.slice(nth * pieceLength, (nth + 1) * pieceLength),
  );
}

/** The file as an IDE sends it, with the lines selected. */
function toValues({ file, content, lines, packageFile }: LoadedAnswer): ContextValues {
  const path = `src/${file}`;
  const selected = lines && content.split("\n").slice(lines.startLine - 1, lines.endLine);
  const endColumn = (selected?.at(-1)?.length ?? 0) + 1;
  const range = selected && { content: selected.join("\n"), ...lines, startColumn: 1, endColumn };
  return {
    activeEditor: {
      filePath: path,
      language: languageOf(path),
      content,
      selectedRanges: range === undefined ? [] : [range],
    },
    packageFiles: packageFile && [packageFile],
  };
}
