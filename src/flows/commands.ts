import { type AgentDefinition, collectedBy, findCommand } from "../turn/agent-definition.ts";
import type { Turn } from "../turn/turn.ts";
import { atNamedPlace } from "./click/at-named-place.ts";
import { asChat, greet } from "./default/command.ts";
import { type Command, type Flow, type ToolsOf, later } from "./flow.ts";
import { ownCommands } from "./own-commands.ts";
import { recallOptions, templated, withRecall } from "./ask/answer.ts";
import { describeContext } from "../prompt/describe-context.ts";

const ofTemplates: Command = {
  name: "",
  flow: templated,
  asksModel: true,
  hasPlace: false,
  callsTools: true,
};

export interface CommandTable {
  names: readonly string[];
  /** Whether a command is about code in the editor: by its own word, else because the definition collects it. */
  isAboutCode(definition: AgentDefinition, command: string): boolean;
  isAboutFiles(command: string): boolean;
  /** What answers a turn: its command's flow, with what was recalled and at the place that its prompt names. */
  resolve(turn: Turn): Flow;
}

/** @param further commands of a library user; one with the name of ours takes its place */
export function createCommandTable(
  further: readonly Command[] = [],
  toolsOf: ToolsOf = () => undefined,
): CommandTable {
  const commands = new Map([...ownCommands, ...further].map((command) => [command.name, command]));
  return {
    names: [...commands.keys()],
    isAboutCode: (definition, name) =>
      commands.get(name)?.hasPlace ??
      collectedBy(findCommand(definition, name)).has("activeEditor"),
    isAboutFiles: (name) => commands.get(name)?.readsFiles === true,
    resolve(turn) {
      if (turn.opened !== undefined) return showOpened;
      const command = commands.get(turn.command) ?? ofTemplates;
      const { asksModel, hasPlace, callsTools = !asksModel } = command;
      if (command.flow === greet && turn.messageTemplates === undefined) {
        const question = asChat(turn);
        if (question === undefined) return greet;
        const answerQuestion = this.resolve(question);
        return (_, services, focus) => answerQuestion(question, services, focus);
      }
      // A definition may give templates to commands that would not ask a model otherwise; they win.
      if (!asksModel && turn.messageTemplates === undefined) return command.flow;
      const own = asksModel ? command.flow : templated;
      const flow = callsTools && toolsOf(turn.agent) !== undefined ? askWithTools : own;
      if (!asksModel) return flow;
      const options = recallOptions(turn);
      const informed = options === undefined ? flow : withRecall(flow, options);
      if (!hasPlace && command.readsPlaces !== true) return informed;
      return atNamedPlace(informed, command);
    },
  };
}

const askWithTools = later(async () => (await import("./loop/talk.ts")).askWithTools);

/** The children of a node that a person has opened. */
const showOpened: Flow = async function* (turn) {
  yield { type: "context-receipt", receipt: describeContext(turn) };
  if (turn.opened !== undefined) yield { type: "action", action: turn.opened };
  yield { type: "turn-end", reason: "stop" };
};
