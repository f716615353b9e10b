import { parseConfig } from "../../src/setup/config.ts";
import { loadAgents } from "../../src/setup/load-agents.node.ts";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { createConfiguredThreads } from "../../src/setup/threads/create-code-threads.node.ts";
import { loadAnswers } from "./load-answers.ts";
import { type PlayedAnswer, playAnswer } from "./play-answer.ts";
import { printAnswer, printAnswers, shareOf, summarizeAnswers } from "./print-answers.ts";

export interface EvalAnswersOptions {
  /** Where absent, the folder of the project. */
  folder: string | undefined;
  /** The least share of answers that come out as expected, in percent. */
  expectRight: number;
  showsCases: boolean;
  json: boolean;
}

/**
 * Plays the answers of a folder through the flows, with the agent that ships and no model.
 *
 * @returns the text to print, and whether no answer was wrong and enough came out as expected
 */
export async function evalAnswers(
  { folder, expectRight, showsCases, json }: EvalAnswersOptions,
  signal: AbortSignal,
): Promise<{ printed: string; isGood: boolean }> {
  const answers = loadAnswers(folder);
  const code = createConfiguredThreads(parseConfig({}));
  const parts = { agents: loadAgents(undefined), promptFiles: loadPromptFiles(), code };
  const played: PlayedAnswer[] = [];
  try {
    for (const one of answers) {
      if (signal.aborted) break;
      played.push(await playAnswer(one, parts, signal));
    }
  } finally {
    code.close();
  }
  const forms = summarizeAnswers(played);
  const total = forms.at(-1);
  const isGood = total !== undefined && total.wrong === 0 && shareOf(total) >= expectRight;
  if (json) return { printed: JSON.stringify({ forms, answers: played }, null, 2), isGood };
  const listed = played.filter(({ isAsExpected }) => showsCases || !isAsExpected);
  const lines = listed.length === 0 ? [] : [`${listed.map(printAnswer).join("\n")}\n`];
  return { printed: [...lines, printAnswers(forms)].join("\n"), isGood };
}
