import type { MessageTemplate } from "../turn/agent-definition.ts";
import type { Template, TemplateEngine } from "./template.ts";

/** The platform writes a template's text as `template`, others as `content`. */
export function textOf({ template, content }: MessageTemplate): string {
  return template ?? content ?? "";
}

/**
 * Compiles the templates of one command, one after the other.
 *
 * @returns throws TemplateProblem when a template is broken, or all so far are larger than allowed
 */
export function compileTogether(engine: TemplateEngine): (text: string) => Template {
  const sum = engine.createSum();
  return (text) => {
    sum.addText(text);
    const template = engine.compile(text);
    sum.add(template.size);
    return template;
  };
}
