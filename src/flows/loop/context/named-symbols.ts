// Which symbols a request names: as code, or in a short request as plain words.
import { type MappedFile, type MappedSymbol, comparePaths } from "../../../code/file-map.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import type { Candidate } from "./find-candidates.ts";
import type { RequestTerms } from "./request-terms.ts";

export interface NamedSymbol {
  path: string;
  name: string;
  /** With its comment. */
  lines: LineRange;
}

/** Definitions of one name; where more files than the second number have one, a plain word does not mean it. */
const [maxOfName, maxFiles] = [3, 5];

/** How surely a name is meant: written as code, as a word of the same case, of another case, of prose. */
type Sureness = 0 | 1 | 2 | 3 | 4;

interface Found extends NamedSymbol {
  sureness: Sureness;
  isField: boolean;
  /** Of the file, see `Candidate`. */
  share: number;
}

/** How surely a request means a symbol of this name; 0: not at all. */
export function surenessOf(name: string, { names, spoken }: RequestTerms): Sureness {
  if (names.some(({ path }) => path.at(-1) === name)) return 4;
  const isProse = spoken.get(name) ?? spoken.get(name.toLowerCase());
  if (isProse === undefined) return 0;
  return isProse ? 1 : spoken.has(name) ? 3 : 2;
}

/** The surest come first, and of one name only those that are as sure as any. */
export function findNamedSymbols(
  files: readonly MappedFile[],
  candidates: ReadonlyMap<string, Candidate>,
  terms: RequestTerms,
): NamedSymbol[] {
  const found: Found[] = [];
  for (const { path, symbols } of files) {
    const share = candidates.get(path)?.share ?? 1;
    for (const symbol of symbols) {
      const sureness = isDefinition(symbol) ? surenessOf(symbol.name, terms) : 0;
      if (sureness > 0 && fitsContainer(symbol, terms))
        found.push({
          path,
          name: symbol.name,
          lines: symbol.lines,
          sureness,
          isField: symbol.kind === "property",
          share,
        });
    }
  }
  const byName = Map.groupBy(found, ({ name }) => name.toLowerCase());
  const chosen = [...byName.values()].flatMap(chooseOfName);
  const best = Math.max(0, ...chosen.map(({ sureness }) => sureness));
  return chosen
    .filter(({ sureness }) => sureness > 1 || best === 1)
    .toSorted((one, other) => other.sureness - one.sureness);
}

function chooseOfName(found: readonly Found[]): Found[] {
  const best = Math.max(...found.map(({ sureness }) => sureness));
  const isSure = ({ sureness }: Found): boolean => sureness === best;
  // Many types have fields of one name.
  const functions = found.filter((each) => isSure(each) && !each.isField);
  const sure = functions.length > 0 ? functions : found.filter(isSure);
  if (best < 4 && new Set(sure.map(({ path }) => path)).size > maxFiles) return [];
  return sure
    .toSorted((one, other) => other.share - one.share || comparePaths(one.path, other.path))
    .slice(0, maxOfName);
}

/** What others may mean by its name: nothing that is local. */
function isDefinition({ kind, level }: MappedSymbol): boolean {
  return kind !== "constructor" && !(kind === "variable" && level > 0);
}

/** `Cart.total` is none of `Order`. */
function fitsContainer({ name, container }: MappedSymbol, { names }: RequestTerms): boolean {
  const paths = names.filter(({ path }) => path.at(-1) === name).map(({ path }) => path.at(-2));
  if (paths.length === 0 || paths.includes(undefined)) return true;
  const own = container?.split(".").at(-1);
  return own === undefined || paths.includes(own);
}
