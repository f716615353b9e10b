import type { Steps } from "../edit/steps.ts";
import { AppError } from "../errors/app-error.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import { compileTogether, textOf } from "./compile-together.ts";
import type { CompiledTemplates, RoleTemplate, TemplateEngine } from "./template.ts";
import { TemplateProblem } from "./template-problem.ts";
import { maxTemplates } from "./template-size.ts";

/**
 * Compiles the templates of one command, or remembers them: lists that are frozen come again and again.
 *
 * @throws AppError `template_error`
 */
export function* compileAll(
  command: string,
  templates: readonly MessageTemplate[],
  engine: TemplateEngine,
): Steps<CompiledTemplates> {
  const known = engine.lists.get(templates);
  if (known !== undefined) return known;
  if (templates.length > maxTemplates) {
    throw new AppError(
      "template_error",
      {
        en: `Command "${command}" has ${templates.length} message templates; it may have ${maxTemplates}.`,
        zh: `指令“${command}”有 ${templates.length} 个消息模板，最多允许 ${maxTemplates} 个。`,
      },
      { param: "messageTemplates" },
    );
  }
  const compiled: RoleTemplate[] = [];
  const compile = compileTogether(engine);
  for (const [index, item] of templates.entries()) {
    if (index > 0) yield;
    const template = naming(command, index, () => compile(textOf(item)));
    // The message of a tool needs the call that it answers, which a template does not have.
    const role = item.role === "tool" ? "user" : item.role;
    compiled.push({ role, template, index });
  }
  const all = {
    compiled,
    used: new Set(compiled.flatMap(({ template }) => [...template.variables])),
    isDynamic: compiled.some(({ template }) => template.isDynamic),
  };
  if (Object.isFrozen(templates)) engine.lists.set(templates, all);
  return all;
}

function naming<Result>(command: string, index: number, run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    throw toTemplateError(thrown, command, index);
  }
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
