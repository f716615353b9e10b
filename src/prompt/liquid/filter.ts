import type { FilterImplOptions } from "liquidjs";
import type { FueledContext } from "./fueled-context.ts";
import { fueled } from "./fueled-context.ts";
import { isRunnable, pausing } from "./drive.ts";
import { weigh } from "./weigh.ts";

/** A filter of ours; a generator lets others have a turn wherever it yields. */
export type OwnFilter = (
  context: FueledContext,
  value: unknown,
  ...given: readonly unknown[]
) => unknown;

/** What one of Liquid's filters costs, at most, in units. */
export interface Price {
  /** However small its value is. */
  call?: number;
  /** For each item of its value and arguments, at all depths. */
  item?: number;
  /** For each character of its value and arguments. */
  character?: number;
  /** It looks into neither its value nor its arguments. */
  isBlind?: true;
  /** What the arguments cost besides. */
  extra?: (context: FueledContext, ...given: readonly unknown[]) => number;
}

/** Liquid's own filter, which takes its price first. */
export function priced(
  filter: FilterImplOptions,
  { call = 40, item = 12, character = 0.3, isBlind, extra }: Price,
): FilterImplOptions {
  const inner = typeof filter === "function" ? filter : filter.handler;
  const handler: typeof inner = function (value: unknown, ...given: unknown[]): unknown {
    const context = fueled(this.context);
    const { fuel } = context;
    fuel.use(call);
    for (const part of isBlind ? [] : [value, ...given]) {
      if (typeof part === "number" || part === undefined) continue;
      const weight = weigh(part, fuel);
      fuel.use(weight.items * item + weight.characters * character);
    }
    if (extra !== undefined) fuel.use(extra(context, ...given));
    return inner.apply(this, [value, ...given]);
  };
  return typeof filter === "function" ? handler : { ...filter, handler };
}

/** Our filter as Liquid calls it. */
export function own(filter: OwnFilter): FilterImplOptions {
  return function (value: unknown, ...given: unknown[]): unknown {
    const context = fueled(this.context);
    context.fuel.use(60);
    const result = filter(context, value, ...given);
    return isRunnable(result) ? pausing(result) : result;
  };
}
