import { createWorkspaceTools } from "../../tools/workspace/workspace-tools.ts";
import type { ChangeMade, PlanEdit, ToolUse } from "../../tools/tool.ts";
import type { Turn } from "../../turn/turn.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import type { EndReason, ModelEvent, TurnEvent, Usage } from "../../turn/turn-event.ts";
import { addUsage } from "../../turn/figures.ts";
import { hearModel, prepare } from "../ask/answer.ts";
import { Page } from "../edit/page.ts";
import type { Flow, Services } from "../flow.ts";
import { listTree, sealAction } from "../click/seal-action.ts";
import type { PersonQuestion } from "../../tools/ask-person.ts";
import { applyChanges } from "../loop/apply-changes.ts";
import { type Stage, netChanges, readChangesClick, showChanges } from "../loop/show-changes.ts";
import { type Coding, type LoopOutcome, openProposals } from "../loop/coding.ts";
import { bringFiles } from "../loop/context/bring-files.ts";
import { countTokens } from "../loop/conversation.ts";
import { loopTexts } from "../loop/loop-texts.ts";
import { type LoopParts, runLoop } from "../loop/run-loop.ts";
import { readPlan } from "../../tools/edit-plan/apply-plan.ts";

/**
 * Works on a code base in steps until a request is done: reads, searches, edits. Where nothing can be written it
 * ends with a proposal, and a click on it comes back here.
 */
export const code: Flow = async function* (turn, services, focus = noFocus) {
  const coding = services.coding ?? (await openProposals(turn, services));
  const stage = { turn, services, page: new Page() };
  const prompt = turn.context.userInputPrompt;
  const click = readChangesClick(prompt);
  let reason: EndReason = "stop";
  if (click !== undefined) yield* applyChanges(stage, click, coding);
  else if (turn.model.toolCalls === "none")
    yield* stage.page.block(`${loopTexts(turn.locale).offline}\n`);
  else {
    const outcome = yield* work(stage, coding, focus);
    yield* showOutcome(stage, coding, outcome);
    if (outcome.question !== undefined) yield* askLater(stage, outcome.question);
    // Whatever stopped it before it was done is reported as a limit.
    reason = outcome.end === "finished" || outcome.end === "question" ? "stop" : "length";
  }
  yield { type: "turn-end", reason };
};

async function* work(
  stage: Stage,
  coding: Coding,
  focus: Focus,
): AsyncGenerator<TurnEvent, LoopOutcome, void> {
  const { turn, services } = stage;
  const { workspace, ask, askPerson, askCall, checkCommand } = coding;
  const changes: ChangeMade[] = [];
  const spent: LoopParts["spent"] = [];
  const use: ToolUse = {
    workspace,
    ask,
    askPerson,
    askCall,
    locale: turn.locale,
    signal: turn.signal,
    seen: new Map(),
    code: services.code,
    planEdit: createEditPlanner(turn, services, spent),
    onChange: (change) => void changes.push(change),
  };
  const tools = createWorkspaceTools(workspace, [
    ...(services.tools ?? []),
    ...((await services.toolsOf?.(turn.agent)) ?? []),
    ...(coding.tools ?? []),
  ]);
  const brought = await bringFiles(turn, services, workspace, use.seen);
  const known = withFacts(focus, {
    ...brought.facts,
    workspaceRoot: workspace.root,
    ...(checkCommand === undefined ? {} : { checkCommand }),
    writesCalls: turn.model.toolCalls === "text" ? "yes" : "",
  });
  const { receipt, request } = await prepare(turn, services, known, undefined, {
    spare: ["repositoryMap", "namedFiles"],
  });
  const { files, leftOut } = brought;
  const named = { files, ...(leftOut.length === 0 ? {} : { leftOut }) };
  yield { ...receipt, receipt: { ...receipt.receipt, ...named } };
  try {
    return yield* runLoop({ stage, coding, request, tools, use, changes, spent });
  } catch (thrown) {
    // What was proposed so far is nowhere else.
    const net = netChanges(changes);
    if (workspace.effect === "proposals" && net.length > 0 && !turn.signal.aborted)
      yield* showChanges(stage, "proposed", net, coding.nameOf);
    throw thrown;
  }
}

async function* showOutcome(
  stage: Stage,
  coding: Coding,
  outcome: LoopOutcome,
): AsyncGenerator<TurnEvent, void, void> {
  const { turn, page } = stage;
  const { workspace, check, checkCommand = "" } = coding;
  const texts = loopTexts(turn.locale);
  if (outcome.end !== "finished" && outcome.end !== "question")
    yield* page.block(`${texts.ends[outcome.end]}\n`);
  const net = netChanges(outcome.changes);
  if (net.length === 0) {
    if (outcome.changes.length > 0) yield* page.block(`${texts.nothingChanged}\n`);
    else if (check !== undefined && outcome.end !== "question")
      yield* page.block(`${texts.checkUnseen(checkCommand, false)}\n`);
    return;
  }
  const isProposal = workspace.effect === "proposals";
  yield* showChanges(stage, isProposal ? "proposed" : "modified", net, coding.nameOf);
  if (isProposal) return;
  if (outcome.check !== undefined) yield* page.block(`${texts.check(outcome.check)}\n`);
  else if (check === undefined) yield* page.block(`${texts.notChecked}\n`);
  else yield* page.block(`${texts.checkUnseen(checkCommand, true)}\n`);
}

/** Characters of the request that a click repeats. */
const maxRequest = 4_000;

/** A question of the model's, and its choices: what a click says stands by itself, since the turn is over. */
async function* askLater(
  { turn, services, page }: Stage,
  { question, choices }: PersonQuestion,
): AsyncGenerator<TurnEvent, void, void> {
  const { answerTo } = loopTexts(turn.locale);
  const list = choices.map((choice, nth) => `${nth + 1}. ${choice}\n`).join("");
  yield* page.block(`${question}\n${list === "" ? "" : `\n${list}`}`, `${question}\n`);
  if (choices.length === 0) return;
  const request = (turn.context.userInputPrompt ?? "").slice(0, maxRequest);
  const items = choices.map((name) => ({
    name,
    description: question,
    prompt: answerTo(name, question, request),
  }));
  yield await sealAction(
    turn,
    services,
    listTree({ id: turn.id, command: "code" }, "choice", items),
  );
}

/** The agent that says, in one answer of the turn's model, where an edit belongs that could not be merged. */
function createEditPlanner(turn: Turn, services: Services, spent: LoopParts["spent"]): PlanEdit {
  return async ({ path, numbered, instructions, codeEdit, problem }, signal) => {
    const focus = withFacts(noFocus, {
      editPath: path,
      numberedFile: numbered,
      instructions,
      codeEdit,
      report: problem,
    });
    const alone = { ...turn, history: [], messageTemplates: undefined, signal };
    try {
      const { request } = await prepare(alone, services, focus, "plan-edit-again");
      let usage: Usage | undefined;
      let raw = "";
      const hear = (event: ModelEvent): [] => {
        if (event.type === "text-delta") raw += event.text;
        if (event.type === "text-was-reasoning") raw = "";
        if (event.type === "usage") usage = addUsage(usage, event.usage);
        return [];
      };
      try {
        const asked = { ...request, temperature: 0 };
        const { value: reason } = await hearModel(alone, asked, hear).next();
        return reason === "stop" ? readPlan(raw) : undefined;
      } finally {
        spent.push({ usage, tokens: usage?.total_tokens ?? countTokens(request.messages, raw) });
      }
    } catch {
      // The refusal that the engine gave is better than none.
      signal.throwIfAborted();
      return undefined;
    }
  };
}
