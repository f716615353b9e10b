import { AppError } from "../base/errors/app-error.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import type { CompiledTemplates, RoleTemplate, Template, TemplateEngine } from "./template.ts";
import { TemplateProblem } from "./template-problem.ts";

/** What the templates of one command may hold together. */
export interface TemplateLimits {
  characters: number;
  /** Filters, operators and further values in tags. */
  operations: number;
  /** They are ours, and rendering them is not bounded. */
  isOwn?: true;
}

/** Templates that come with a request. */
const ofRequests: TemplateLimits = { characters: 20_000, operations: 200 };
/** Templates in files of the operator. */
export const ofOperators: TemplateLimits = { characters: 200_000, operations: 2_000 };

/** Templates of the prompts that are built in. */
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
      return { role, template: compile(textOf(item)), index };
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
export function textOf({ template, content }: MessageTemplate): string {
  return template ?? content ?? "";
}

/**
 * Compiles the templates of one command, one after the other.
 *
 * @returns throws TemplateProblem when a template is broken, or all so far are larger than allowed
 */
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
