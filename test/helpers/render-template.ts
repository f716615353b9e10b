import { createTemplateEngine, type TemplateEngine } from "../../src/prompt/template.ts";

/** An engine whose clock does not move. */
export function createTestEngine(): TemplateEngine {
  return createTemplateEngine(() => 0);
}

/** Renders one template with a budget of its own. */
export function renderTemplate(engine: TemplateEngine, text: string, scope: object = {}): string {
  return engine.compile(text).render(scope, engine.createBudget());
}
