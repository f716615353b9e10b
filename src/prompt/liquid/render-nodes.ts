// Renders the nodes of a parsed template, in the place of Liquid's own loop.
import { type Context, type Emitter, LiquidError, RenderError, type Template } from "liquidjs";
import { TemplateProblem } from "../template-problem.ts";
import { type FueledContext, fueled, textOf } from "./fueled-context.ts";

/** What a node costs, and each character that comes out. */
export const nodePrice = 200;
const character = 0.03;

/** Takes what comes out, and what that costs. */
export class FueledEmitter implements Emitter {
  buffer = "";
  readonly #context: FueledContext;

  constructor(context: FueledContext) {
    this.#context = context;
  }

  write(value: unknown): void {
    const { fuel, maxLength } = this.#context;
    const text = textOf(value, fuel);
    fuel.use(text.length * character);
    this.buffer += text;
    if (this.buffer.length > maxLength)
      throw new TemplateProblem(`the result is longer than ${maxLength} characters (renderMemory)`);
  }
}

/**
 * As Liquid renders nodes, with what each costs.
 *
 * @param priceOf a node's price, by what its tag holds
 */
export function createNodeLoop(
  priceOf: (node: Template) => number,
): (nodes: Template[], context: Context, emitter?: Emitter) => IterableIterator<unknown> {
  return function* (nodes, given, emitter) {
    const context = fueled(given);
    const out = emitter ?? new FueledEmitter(context);
    context.fuel.use(nodePrice);
    for (const node of nodes) {
      try {
        context.fuel.use(priceOf(node));
        const html: unknown = yield node.render(context, out);
        if (html) out.write(html);
        if (context.breakCalled || context.continueCalled) break;
      } catch (thrown) {
        if (LiquidError.is(thrown)) throw thrown;
        throw new RenderError(thrown instanceof Error ? thrown : new Error(String(thrown)), node);
      }
    }
    return out.buffer;
  };
}
