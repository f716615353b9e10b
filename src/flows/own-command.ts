// What a command of ours says of itself. All that names commands elsewhere is made of these objects.
import type { Locale } from "../base/errors/locale.ts";
import type { Command, Flow } from "./flow.ts";

/** A command of ours; its prompt is beside it in both languages (`fix.liquid`). */
export interface OwnCommand extends Command {
  /** What it does, for lists of clients. */
  description: Record<Locale, string>;
  /** The context variables that clients collect for it. */
  collects: readonly string[];
  /** For the table of commands in the docs, in Markdown: what it answers, and what it shows below that. */
  answers: string;
  shows: string;
  /** The openings of what clicks on places send, by a name of their own; the first one asks for the command itself. */
  clickWords?: Readonly<Record<string, ClickWords>>;
  /** The button of other answers that leads on to it. */
  button?: Record<Locale, { title: string; message: string; prompt: string }>;
  /** Its request at the door of IDE plugins. */
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
  /** Its name in the protocol. */
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

/** A command that asks a model about the code in the editor. */
export const aboutCode = {
  asksModel: true,
  hasPlace: true,
  collects: [
    "userInputPrompt",
    "globalPrompts",
    "userInfo",
    "activeEditor",
    "packageFiles",
    "knowledgeBase",
  ],
} satisfies Partial<OwnCommand>;

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
