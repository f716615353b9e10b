import { evalTokenValue, type RangeToken, TokenKind } from "liquidjs";
import { TemplateProblem } from "../template-problem.ts";
import { fueled, textOfParts } from "./fueled-context.ts";

/** Numbers that one range may hold. */
const maxRange = 100_000;
const numberPrice = 4;

/**
 * Makes a range take fuel before its numbers are made, and bounds it. Liquid's own count is no bound: above
 * 2^53, where adding 1 changes nothing, its loop has no end.
 */
export function fuelRange(token: RangeToken): void {
  const { lhs, rhs } = token;
  const evaluate = function* (
    context: Parameters<typeof evalTokenValue>[1],
  ): Generator<unknown, number[], unknown> {
    const { fuel } = fueled(context);
    const toNumber = (value: unknown): number =>
      Number(typeof value === "object" && value !== null ? textOfParts(value, fuel) : value);
    const low = toNumber(yield evalTokenValue(lhs, context));
    const high = toNumber(yield evalTokenValue(rhs, context));
    const count = Math.ceil(high + 1 - low);
    if (!(count > 0)) return [];
    if (count > maxRange || Math.abs(low) > Number.MAX_SAFE_INTEGER - maxRange)
      throw new TemplateProblem(
        `a range may hold ${maxRange} numbers, none beyond 2^53, and not those from ${low} to ${high}`,
      );
    fuel.use(count * numberPrice);
    return Array.from({ length: count }, (_, index) => low + index);
  };
  // A filtered value is what Liquid evaluates by a method of the token's own.
  Object.assign(token, {
    kind: TokenKind.FilteredValue,
    initial: { evaluate },
    filters: [],
  });
}
