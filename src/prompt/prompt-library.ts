import type { Locale } from "../base/errors/locale.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import { ChatRole } from "../turn/chat-message.ts";
import { deepFreeze } from "../base/wire/deep-freeze.ts";

/** The built-in prompts: the text of every file by `locale/command` (`en/explain`); `en/parts` has what they share. */
export type PromptFiles = Readonly<Record<string, string>>;

export interface PromptLibrary {
  /** The commands that have built-in templates. */
  commands: readonly string[];
  /** The built-in templates of a command or a further question, or undefined where we have none. */
  find(command: string, locale: Locale): readonly MessageTemplate[] | undefined;
}

/** Prompts by which a flow asks once more, such as `edit-again`, and what prompts share, are no commands of anybody. */
const noCommand = /-again$|^parts$/;

/** The prompts of a file: `flows/fix/fix.liquid` has `en/fix` below its line `=== en`, and `zh/fix` below `=== zh`. */
export function promptsIn(path: string, text: string): [name: string, text: string][] {
  const name = path.replace(/^.*[\\/]/, "").replace(".liquid", "");
  return splitSections(text, /^=== *([a-z]+) *\r?\n/m).map(([locale, own]) => [
    `${locale}/${name}`,
    own,
  ]);
}

/**
 * Parses the built-in prompts. A file is a list of messages, each under a line `--- role`; one whose
 * name ends with `-again` serves no command. A line `{% include NAME %}` is replaced by the part of that name, a line
 * `{% section VARIABLE: Heading %}` by the variable below its heading, where it is not empty.
 */
export function createPromptLibrary(files: PromptFiles): PromptLibrary {
  const parsed = new Map(
    Object.keys(files).flatMap((name) =>
      name.endsWith("/parts") ? [] : [[name, parsePromptFile(name, files)] as const],
    ),
  );
  const names = new Set(Object.keys(files).map((name) => name.replace(/^[^/]*\//, "")));
  return {
    commands: [...names].filter((name) => !noCommand.test(name)),
    find: (command, locale) => parsed.get(`${locale}/${command}`),
  };
}

function parsePromptFile(name: string, files: PromptFiles): readonly MessageTemplate[] {
  const parts = new Map(splitSections(files[`${name.split("/", 1)[0] ?? ""}/parts`] ?? ""));
  const text = (files[name] ?? "").replace(/^\{% include ([a-z-]+) %\}/gm, (_, part: string) => {
    const found = parts.get(part);
    if (found === undefined)
      throw new Error(`The prompt file ${name} includes an unknown part "${part}".`);
    return found;
  });
  const sections = splitSections(text.replace(sectionLine, section));
  if (sections.length === 0)
    throw new Error(`The prompt file ${name} must begin with a line "--- role".`);
  return deepFreeze(
    sections.map(([head, template]) => {
      const role = ChatRole.safeParse(head);
      if (!role.success) throw new Error(`The prompt file ${name} has an unknown role "${head}".`);
      return { role: role.data, template };
    }),
  );
}

const sectionLine = /^\{% section (\w+)( \| fence)?: (.+) %\}$/gm;
const section = "{% if $1 != blank -%}\n# $3\n\n{{ $1$2 }}\n\n{% endif -%}";

/** What is below each line `--- head`, without space around it; nothing where the text does not begin with one. */
function splitSections(
  text: string,
  head = /^--- *([a-z][a-z-]*) *\r?\n/m,
): [head: string, text: string][] {
  const [before = "", ...rest] = text.split(head);
  const sections: [string, string][] = [];
  for (let at = 0; before.trim() === "" && at < rest.length; at += 2)
    sections.push([rest[at] ?? "", (rest[at + 1] ?? "").trim()]);
  return sections;
}
