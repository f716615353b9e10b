import { type AgentDefinition, collectedBy, findCommand } from "../turn/agent-definition.ts";
import type { Turn } from "../turn/turn.ts";
import { recallOptions, withRecall } from "./ask/recall.ts";
import { atNamedPlace } from "./click/at-named-place.ts";
import { showOpened } from "./click/show-opened.ts";
import { asChat, greet } from "./default.ts";
import type { Command, Flow } from "./flow.ts";
import { templated } from "./templated.ts";
import { tellVersion } from "./version.ts";

const aboutCode = { asksModel: true, hasPlace: true };
const forCode = { ...aboutCode, writesCode: true };

/** A flow whose modules are loaded when it is first used. */
function later(load: () => Promise<Flow>): Flow {
  let flow: Flow | undefined;
  return (...given) =>
    flow === undefined
      ? (async function* () {
          flow = await load();
          yield* flow(...given);
        })()
      : flow(...given);
}

/** The commands that we answer in our own way; every other one is answered from its templates. */
export const ownCommands: readonly Command[] = [
  { name: "default", flow: greet, asksModel: false, hasPlace: false },
  { name: "version", flow: tellVersion, asksModel: false, hasPlace: false },
  {
    name: "explain",
    flow: later(async () => (await import("./explain.ts")).explain),
    ...aboutCode,
  },
  {
    name: "chat",
    flow: later(async () => (await import("./chat.ts")).chat),
    asksModel: true,
    hasPlace: false,
    readsPlaces: true,
  },
  {
    name: "code",
    flow: later(async () => (await import("./code.ts")).code),
    asksModel: true,
    hasPlace: false,
    readsFiles: true,
  },
  { name: "fix", flow: later(async () => (await import("./fix.ts")).fix), ...forCode },
  {
    name: "optimize",
    flow: later(async () => (await import("./optimize.ts")).optimize),
    ...forCode,
  },
  {
    name: "docstring",
    flow: later(async () => (await import("./docstring.ts")).docstring),
    ...forCode,
  },
  {
    name: "unittest",
    flow: later(async () => (await import("./unittest.ts")).unittest),
    ...forCode,
  },
  {
    name: "unittest-write",
    flow: later(async () => (await import("./unittest-write.ts")).unittestWrite),
    ...forCode,
  },
];
const ofTemplates: Command = { name: "", flow: templated, asksModel: true, hasPlace: false };

export interface CommandTable {
  names: readonly string[];
  /** Whether a command is about code in the editor: by its own word, else because the definition collects it. */
  isAboutCode(definition: AgentDefinition, command: string): boolean;
  /** Whether a command works on all files that it is given. */
  isAboutFiles(command: string): boolean;
  /** What answers a turn: its command's flow, with what was recalled and at the place that its prompt names. */
  resolve(turn: Turn): Flow;
}

/** @param further commands of a library user; one with the name of ours takes its place */
export function createCommandTable(further: readonly Command[] = []): CommandTable {
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
      const { flow, asksModel, hasPlace } = command;
      if (flow === greet && turn.messageTemplates === undefined) {
        const question = asChat(turn);
        if (question === undefined) return greet;
        const answerQuestion = this.resolve(question);
        return (_, services, focus) => answerQuestion(question, services, focus);
      }
      // A definition may give templates to commands that would not ask a model otherwise; they win.
      if (!asksModel) return turn.messageTemplates === undefined ? flow : templated;
      const options = recallOptions(turn);
      const informed = options === undefined ? flow : withRecall(flow, options);
      if (!hasPlace && command.readsPlaces !== true) return informed;
      return atNamedPlace(informed, {
        needsOne: hasPlace,
        writesCode: command.writesCode === true,
      });
    },
  };
}
