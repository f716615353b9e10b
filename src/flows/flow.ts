import type { PromptLibrary } from "../prompt/prompt-library.ts";
import type { TemplateEngine } from "../prompt/template.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnEvent } from "../turn/turn-event.ts";

/** What flows are given besides the turn. */
export interface Services {
  prompts: PromptLibrary;
  templates: TemplateEngine;
  /** The version of the product, for agents whose definition names none. */
  version: string;
}

/** What a command does. It may throw; `settle` tells the failure as events. */
export type Flow = (turn: Turn, services: Services) => AsyncGenerator<TurnEvent, void, void>;
