import type { Locale } from "../base/errors/locale.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import { ChatRole } from "../turn/chat-message.ts";
import { deepFreeze } from "../base/text/json.ts";
import { AppError } from "../base/errors/app-error.ts";
import type { CompiledTemplates, RoleTemplate, Template, TemplateEngine } from "./template.ts";
import { TemplateProblem } from "./render-budget.ts";

/** The built-in prompts: the text of every file by `locale/command` (`en/explain`); `en/parts` has what they share. */
export type PromptFiles = Readonly<Record<string, string>>;

export interface PromptLibrary {
  commands: readonly string[];
  /** The built-in templates of a command or a further question, or undefined where we have none. */
  find(command: string, locale: Locale): readonly MessageTemplate[] | undefined;
}

/** Prompts by which a flow asks once more, such as `edit-again`, and what prompts share, are no commands of anybody. */
const noCommand = /-again$|^parts$/;

/**
 * The prompts of a file: `flows/fix/fix.liquid` has `en/fix` below its line `=== en`, and `zh/fix` below `=== zh`. What is
 * below `=== en zh` belongs to both, with the words of each in this order: `# «Aim | 目标»`.
 */
export function promptsIn(path: string, text: string): [name: string, text: string][] {
  const name = path.replace(/^.*[\\/]/, "").replace(".liquid", "");
  const prompts = new Map<string, string>();
  for (const [locales, template] of splitSections(text, /^=== *([a-z]+(?: [a-z]+)*) *\r?\n/m))
    for (const [nth, locale] of locales.split(" ").entries()) {
      const own = template.replace(
        /«([^«»]+)»/g,
        (_, words: string) => words.split(" | ")[nth] ?? "",
      );
      const before = prompts.get(`${locale}/${name}`);
      prompts.set(`${locale}/${name}`, before === undefined ? own : `${before}\n\n${own}`);
    }
  return [...prompts];
}

/**
 * Parses the built-in prompts. A file is a list of messages, each under a line `--- role`; one whose
 * name ends with `-again` serves no command. A line `{% include NAME NAME %}` is replaced by the parts of these names, a
 * line `{% section VARIABLE: Heading %}` by the variable below its heading, where it is not empty. Below the part
 * `request` come lines for where nothing is asked: `{% or-code: TEXT %}`, and `{% or-nothing: TEXT %}` without code.
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
  const partOf = (part: string): string => {
    const found = parts.get(part);
    if (found === undefined)
      throw new Error(`The prompt file ${name} includes an unknown part "${part}".`);
    return found;
  };
  const include = (text: string): string =>
    text.replace(/^\{% include ([a-z -]+) %\}/gm, (_, all: string) =>
      all
        .split(" ")
        .map((part) => include(partOf(part)))
        .join("\n"),
    );
  const sections = splitSections(
    shorthands.reduce((all, [line, long]) => all.replace(line, long), include(files[name] ?? "")),
  );
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

const shorthands: readonly (readonly [line: RegExp, long: string])[] = [
  [
    /^\{% section (\w+)( \| fence)?: (.+) %\}$/gm,
    "{% if $1 != blank -%}\n# $3\n\n{{ $1$2 }}\n\n{% endif -%}",
  ],
  [
    /^\{% or-code: (.+) %\}$/gm,
    "{%- elsif activeEditor.content != blank or activeEditor.selectedRanges != blank -%}\n$1",
  ],
  [/^\{% or-nothing: (.+) %\}$/gm, "{%- else -%}\n$1\n{%- endif %}"],
];

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

/** What the templates of one command may hold together. */
interface TemplateLimits {
  characters: number;
  /** Filters, operators and further values in tags. */
  operations: number;
  /** They are ours, and rendering them is not bounded. */
  isOwn?: true;
}

const ofRequests: TemplateLimits = { characters: 20_000, operations: 200 };
export const ofOperators: TemplateLimits = { characters: 200_000, operations: 2_000 };

export const ofOurs: TemplateLimits = { ...ofOperators, isOwn: true };

/**
 * Compiles the templates of one command, or remembers them: lists that are frozen come again and again.
 *
 * @throws AppError `template_error`
 */
export function compileAll(
  command: string,
  templates: readonly MessageTemplate[],
  engine: TemplateEngine,
  limits: TemplateLimits = ofRequests,
): CompiledTemplates {
  const known = engine.lists.get(templates);
  if (known !== undefined) return known;
  const compile = compileTogether(engine, limits);
  const compiled = templates.map((item, index): RoleTemplate => {
    // The message of a tool needs the call that it answers, which a template does not have.
    const role = item.role === "tool" ? "user" : item.role;
    try {
      return { role, template: compile(textOfTemplate(item)), index };
    } catch (thrown) {
      throw toTemplateError(thrown, command, index);
    }
  });
  const all = {
    compiled,
    used: new Set(compiled.flatMap(({ template }) => [...template.variables])),
    isDynamic: compiled.some(({ template }) => template.isDynamic),
  };
  if (Object.isFrozen(templates)) engine.lists.set(templates, all);
  return all;
}

/** The platform writes a template's text as `template`, others as `content`. */
export function textOfTemplate({ template, content }: MessageTemplate): string {
  return template ?? content ?? "";
}

/** Compiles one after the other. What it returns throws TemplateProblem, also where all so far are larger than allowed. */
export function compileTogether(
  engine: TemplateEngine,
  limits: TemplateLimits,
): (text: string) => Template {
  let [characters, operations] = [0, 0];
  return (text) => {
    characters += text.length;
    if (characters > limits.characters)
      throw new TemplateProblem(
        `the templates of a command may be ${limits.characters} characters long together`,
      );
    const template = engine.compile(text, limits.isOwn);
    operations += template.operations;
    if (operations > limits.operations)
      throw new TemplateProblem(
        `the templates of a command may hold ${limits.operations} filters and operators together`,
      );
    return template;
  };
}

/** Names the template that something was wrong with; other faults stay as they are. */
export function toTemplateError(thrown: unknown, command: string, index: number): unknown {
  if (!(thrown instanceof TemplateProblem)) return thrown;
  const { message, line, column } = thrown;
  return new AppError(
    "template_error",
    {
      en: `Template ${index} of command "${command}" is broken at line ${line}, column ${column}: ${message}.`,
      zh: `指令“${command}”的模板 ${index} 在第 ${line} 行第 ${column} 列有错误：${message}。`,
    },
    { param: `messageTemplates[${index}]` },
  );
}
