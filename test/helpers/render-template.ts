import { finish } from "../../src/edit/steps.ts";
import { createTemplateEngine, type TemplateEngine } from "../../src/prompt/template.ts";
import type { TemplateLimits } from "../../src/prompt/template-problem.ts";

/** An engine with the limits of the settings, or others; its clock stands still. */
export function createTestEngine(limits: Partial<TemplateLimits> = {}): TemplateEngine {
  const usual = {
    templateLength: 200_000,
    maxTemplateFuel: 10_000_000,
    renderTime: 500,
    renderMemory: 20_000_000,
  };
  return createTemplateEngine({ ...usual, ...limits }, () => 0);
}

/** Renders one template at once, with fuel of its own. */
export function renderTemplate(engine: TemplateEngine, text: string, scope: object = {}): string {
  return finish(engine.compile(text).render(scope, engine.createFuel()));
}
