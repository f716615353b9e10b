import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";

export interface TestableFunction {
  symbol: CodeSymbol;
  /** With the types around it: `Cart.total`. */
  name: string;
}

const callable = /^(?:function|method|constructor)$/;
const testModule = /^(?:tests?|specs?)$/i;

/**
 * The functions and methods of a file that tests can call: none that are local to others, no destructors,
 * and none of a module of tests.
 */
export function findTestable({ symbols }: CodeAnalysis): TestableFunction[] {
  return symbols.flatMap((symbol) => collect(symbol, []));
}

function collect(symbol: CodeSymbol, types: readonly string[]): TestableFunction[] {
  const { kind, name, body, children } = symbol;
  if (kind === "module") {
    return testModule.test(name) ? [] : children.flatMap((child) => collect(child, types));
  }
  if (!callable.test(kind)) return children.flatMap((child) => collect(child, [...types, name]));
  if (body === undefined || name.startsWith("~")) return [];
  return [{ symbol, name: nameWith(types, symbol) }];
}

/** A method that is written apart from its type names it as its container. */
function nameWith(types: readonly string[], { name, container }: CodeSymbol): string {
  const around = types.length > 0 || container === undefined ? types : [container];
  return [...around, name].join(".");
}
