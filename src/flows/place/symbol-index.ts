import type { CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";

/** More lines than a file has: a symbol of the whole name is nearer than one of its end only. */
const farthest = 1e9;

/** With the types around it: `Cart.total`. */
export function fullName({ container, name }: CodeSymbol): string {
  return [container, name].filter((part) => part !== undefined && part !== "").join(".");
}

/** The symbols of a file by their names: looked through once, however many names are looked for. */
export class SymbolIndex {
  readonly #byName: ReadonlyMap<string, readonly CodeSymbol[]>;

  private constructor(byName: ReadonlyMap<string, readonly CodeSymbol[]>) {
    this.#byName = byName;
  }

  static build(symbols: readonly CodeSymbol[]): SymbolIndex {
    const byName = new Map<string, CodeSymbol[]>();
    const all = flattenSymbols(symbols);
    for (const symbol of all) {
      const known = byName.get(symbol.name);
      if (known === undefined) byName.set(symbol.name, [symbol]);
      else known.push(symbol);
    }
    return new SymbolIndex(byName);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** In the order of the text. */
  named(name: string): readonly CodeSymbol[] {
    return this.#byName.get(name) ?? [];
  }

  /** The symbol of a name, with or without its types, that is nearest to a line; undefined without one. */
  nearest(name: string, line: number): CodeSymbol | undefined {
    // A name may hold dots itself, as that of a module does.
    const dots = [-1, ...[...name.matchAll(/\./g)].map(({ index }) => index)];
    let nearest: CodeSymbol | undefined;
    let rank = Infinity;
    for (const dot of dots) {
      for (const symbol of this.named(name.slice(dot + 1))) {
        const isExact = fullName(symbol) === name;
        if (!isExact && dot !== -1) continue;
        const distance = Math.abs(symbol.range.startLine - line) + (isExact ? 0 : farthest);
        if (distance < rank) [nearest, rank] = [symbol, distance];
      }
    }
    return nearest;
  }
}
