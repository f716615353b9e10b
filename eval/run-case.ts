import { languageOf } from "../src/turn/context/language.ts";
import type { CodeParser, CodeSymbol } from "../src/code/code-analysis.ts";
import { flattenSymbols, listParameters } from "../src/code/symbols.ts";
import type { Agent, ContextValues } from "./create-agent.ts";
import type { EvalCase, EvalCommand } from "./eval-case.ts";
import { judge } from "./judge.ts";
import { readAnswer } from "./read-answer.ts";
import type { Verdict } from "./verdict.ts";
import type { ModelCall } from "./watch-model.ts";

export interface CaseResult extends Verdict {
  command: EvalCommand;
  path: string;
  /** The function that was selected. */
  symbol: string;
  /** Questions to the model. */
  calls: number;
  /** As the model reports them; absent if it reports none. */
  promptTokens?: number;
  completionTokens?: number;
  seconds: number;
}

/** Asks one question and judges the answer. It does not throw: what goes wrong is a failed case. */
export async function runCase(
  asked: EvalCase,
  agent: Agent,
  code: CodeParser,
  signal: AbortSignal,
): Promise<CaseResult> {
  const { command, path } = asked;
  const start = performance.now();
  let calls: readonly ModelCall[] = [];
  let symbol = "";
  let verdict: Verdict;
  try {
    const place = await findPlace(asked, code);
    symbol = place.name;
    const { maxFileTokens } = asked;
    const settings = maxFileTokens === undefined ? {} : { maxFileTokens };
    const turn = await agent.ask(command, toValues(asked, place), signal, settings);
    ({ calls } = turn);
    const judged = await judge(asked, await readAnswer(turn.response, signal), calls, code);
    verdict = withContext(judged, asked, turn.prompts);
  } catch (thrown) {
    verdict = { failure: thrown instanceof Error ? thrown.message : String(thrown), reasons: [] };
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    command,
    path,
    symbol,
    ...verdict,
    calls: calls.length,
    ...countTokens(calls),
    seconds,
  };
}

/** With what of the file the first prompt lacks. */
function withContext(
  verdict: Verdict,
  { holds }: EvalCase,
  [prompt = ""]: readonly string[],
): Verdict {
  if (holds === undefined) return verdict;
  const lacking = holds.filter((pattern) => !pattern.test(prompt));
  const reasons = lacking.map((pattern) => `The prompt lacks ${pattern.source}.`);
  const isContextHeld = lacking.length === 0;
  return { ...verdict, isContextHeld, reasons: [...verdict.reasons, ...reasons] };
}

async function findPlace(
  { path, content, symbol }: EvalCase,
  code: CodeParser,
): Promise<CodeSymbol> {
  const { symbols, language } = await code.analyze(content, undefined, path);
  const kinds = ["function", "method", "constructor"];
  const functions = flattenSymbols(symbols).filter(
    ({ kind, body }) => kinds.includes(kind) && body !== undefined,
  );
  const plain = functions.find(
    (each) => each.docComment === undefined && listParameters(each, language).length > 0,
  );
  const found =
    symbol === undefined ? (plain ?? functions[0]) : functions.find(({ name }) => name === symbol);
  if (found === undefined) throw new Error(`${path} has no function ${symbol ?? ""}`.trimEnd());
  return found;
}

/** The file with the function selected, as an IDE sends it. */
function toValues({ path, content, prompt }: EvalCase, { range }: CodeSymbol): ContextValues {
  const { startLine, endLine } = range;
  const lines = content.split("\n").slice(startLine - 1, endLine);
  const endColumn = (lines.at(-1)?.length ?? 0) + 1;
  const selection = { content: lines.join("\n"), startLine, startColumn: 1, endLine, endColumn };
  return {
    userInputPrompt: prompt,
    activeEditor: {
      filePath: path,
      language: languageOf(path),
      content,
      selectedRanges: [selection],
    },
  };
}

function countTokens(
  calls: readonly ModelCall[],
): Pick<CaseResult, "promptTokens" | "completionTokens"> {
  const usages = calls.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return {};
  return {
    promptTokens: usages.reduce((sum, { prompt_tokens: count }) => sum + count, 0),
    completionTokens: usages.reduce((sum, { completion_tokens: count }) => sum + count, 0),
  };
}
