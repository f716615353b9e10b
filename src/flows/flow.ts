import type { PromptLibrary } from "../prompt/prompt-library.ts";
import type { TemplateEngine } from "../prompt/template.ts";
import type { CodeParser } from "../code/code-analysis.ts";
import type { Retriever } from "../knowledge/retriever.ts";
import type { StateSeal } from "../turn/state/sealed-state.ts";
import type { Focus } from "../turn/focus.ts";
import type { Turn } from "../turn/turn.ts";
import type { CompilePattern } from "../workspace/search/prepare-search.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { Coding, LoopLimits } from "./loop/coding.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import type { Timers } from "../base/wire/patient-timer.ts";
import type { Locale } from "../base/errors/locale.ts";

export interface Services {
  prompts: PromptLibrary;
  templates: TemplateEngine;
  code: CodeParser;
  states: StateSeal;
  /** Finds knowledge where the definition asks the agent to (`recallByAgent`); undefined without a folder. */
  retriever: Retriever | undefined;
  /** Most tokens that a built-in prompt takes of the editor's file unasked. */
  maxFileTokens: number;
  /** What the command `code` works on; undefined: the files that a request brings, which it does not write. */
  coding: Coding | undefined;
  loopLimits: LoopLimits;
  /** What models may call in the command `code`, besides our own tools. */
  tools?: readonly AnyTool[] | undefined;
  /** The tools of an agent whose operator has listed descriptions; undefined for others. */
  toolsOf?: ToolsOf | undefined;
  /** Compiles expressions of searches; undefined where there is no engine for them: they are plain text then. */
  compilePattern?: CompilePattern | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
  timers: Timers;
  /** The version of the product, for agents whose definition names none. */
  version: string;
}

/** @param agent its name: whichever definition a request brings, the tools are the operator's */
export type ToolsOf = (agent: string) => Promise<readonly AnyTool[]> | undefined;

/**
 * What a command does. It may throw; `settle` tells the failure as events.
 *
 * @param focus what is known already of the place that the turn is about: what a click has chosen
 */
export type Flow = (
  turn: Turn,
  services: Services,
  focus?: Focus,
) => AsyncGenerator<TurnEvent, void, void>;

export interface Command {
  name: string;
  flow: Flow;
  /** Without: templates that a definition gives the command make it one like any other, and they win. */
  asksModel: boolean;
  /** It is about a place in the editor's file, which a click or the question may name. */
  hasPlace: boolean;
  /** It takes all places that the question names as context; one with `hasPlace` is about one of them. */
  readsPlaces?: boolean;
  /** A plain question: the model may call tools of the operator's before it answers. */
  callsTools?: boolean;
  /** It works on whole files: all that came count, not only the editor's. */
  readsFiles?: boolean;
  /** It writes code for its place: where the position of the selection is lost, the person is asked. */
  writesCode?: boolean;
}

// What a command of ours says of itself. All that names commands elsewhere is made of these objects.

/** A command of ours; its prompt is beside it in both languages (`fix.liquid`). */
export interface OwnCommand extends Command {
  description: Record<Locale, string>;
  /** The openings of what clicks on places send, by a name of their own; the first one asks for the command itself. */
  clickWords?: Readonly<Record<string, ClickWords>>;
  /** The button of other answers that leads on to it. */
  button?: Record<Locale, { title: string; message: string; prompt: string }>;
  plugin?: PluginCommand;
}

/** A place follows, such as `total, lines 3-9`. */
export interface ClickWords extends Record<Locale, string> {
  /** The model is told what comes below the sentence, not the sentence. */
  isSilent?: true;
  /** What the model is told between the sentence and the block below it. */
  above?: Record<Locale, string>;
}

export interface PluginCommand {
  cmd: string;
  /** The fields that it needs; of two names for one thing either will do. */
  needs: readonly (readonly string[])[];
  /** What else the docs tell of that. */
  needsAlso?: string;
  /** The document of the protocol does not have it. */
  isOurs?: true;
  /** Its answer is a change of the selected code. */
  isEdit?: true;
  /** It works on the files of the plugin's project, and its answer tells what became of them. */
  opensFiles?: true;
}

export const aboutCode = { asksModel: true, hasPlace: true } satisfies Partial<OwnCommand>;

export const selectedCode = [["selected_text"], ["model"]] as const;
export const question = [["msg"], ["model"]] as const;

/** A flow whose modules are loaded when it is first used: the start of a server does not need them. */
export function later(load: () => Promise<Flow>): Flow {
  let flow: Flow | undefined;
  return (...given) =>
    flow === undefined
      ? (async function* () {
          flow = await load();
          yield* flow(...given);
        })()
      : flow(...given);
}
