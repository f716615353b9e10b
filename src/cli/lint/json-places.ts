// Where the values of a JSON text begin, by their paths, and where a text that is not JSON goes wrong.
export interface JsonPlaces {
  /**
   * Where a value begins, as an index of the text, or its name where it has one; by paths as `commands[0].name`, the
   * root is `""`. Of a name that comes twice, the last.
   */
  places: ReadonlyMap<string, number>;
  /** The first fault; what comes after it has no place. */
  problem?: { at: number; message: string };
}

/** Deeper values have no place. */
const maxDepth = 500;
const space = /[ \t\r\n]*/y;
const quoted = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const [ends, comma, colon] = [{ "[": /\]/y, "{": /\}/y }, /,/y, /:/y];

/** Reads a text as JSON.parse does, but remembers places. */
export function findJsonPlaces(text: string): JsonPlaces {
  const places = new Map<string, number>();
  let at = 0;
  let problem: JsonPlaces["problem"];
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const fail = (message: string): never => {
    problem = { at, message };
    throw new Error(message);
  };
  const expect = (pattern: RegExp, what: string): string =>
    take(pattern) ??
    fail(at === text.length ? `${what} is missing at the end` : `${what} is expected here`);
  const readValue = (path: string, depth: number, begin = at): void => {
    if (depth > maxDepth) fail("it is nested too deeply");
    places.set(path, begin);
    const sign = text[at];
    if (sign !== "[" && sign !== "{") return void (take(quoted) ?? expect(plain, "a value"));
    at += 1;
    for (let nth = 0; ; nth += 1) {
      take(space);
      if (take(ends[sign]) !== undefined) return;
      if (nth > 0) expect(comma, `a comma or ${sign === "[" ? "]" : "}"}`);
      take(space);
      if (sign === "[") readValue(`${path}[${nth}]`, depth + 1);
      else {
        const start = at;
        const name = String(JSON.parse(expect(quoted, "a name in double quotes")));
        take(space);
        expect(colon, "a colon");
        take(space);
        readValue(path === "" ? name : `${path}.${name}`, depth + 1, start);
      }
    }
  };
  try {
    take(space);
    readValue("", 0);
    take(space);
    return at === text.length ? { places } : fail("the end of the text is expected here");
  } catch (thrown) {
    if (problem === undefined) throw thrown;
    return { places, problem };
  }
}

/** A problem with its place in the file, from 1; columns count UTF-16 units, as editors do. */
export interface LocatedProblem extends LintProblem {
  line: number;
  column: number;
}

/** Finds where in the text the problems are, and puts them in this order. */
export function locateProblems(text: string, problems: readonly LintProblem[]): LocatedProblem[] {
  const places = findJsonPlaces(text);
  return problems
    .map((problem) => ({ problem, at: offsetOf(problem, places) }))
    .sort((left, right) => left.at - right.at)
    .map(({ problem, at }) => ({ ...problem, ...positionOf(text, at) }));
}

/**
 * A value that has a name is found at its name, an item of a list where it begins. What is missing is told at
 * the object that lacks it.
 */
function offsetOf({ path }: LintProblem, { places, problem }: JsonPlaces): number {
  if (path === "(file)") return problem?.at ?? places.get("") ?? 0;
  for (let known = path; ; known = parentOf(known)) {
    const place = places.get(known);
    if (place !== undefined || known === "") return place ?? 0;
  }
}

/** `a.b` of `a.b[0]` and of `a.b.c`. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("."), path.lastIndexOf("[")));
}

function positionOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** What is wrong with a definition. `info` asks for nothing; the others fail the check. */
export interface LintProblem {
  /** From the root of the definition: `commands[2].messageTemplates[0].template`. */
  path: string;
  severity: "error" | "warning" | "info";
  message: string;
}

const problemOf =
  (severity: LintProblem["severity"]) =>
  (path: string, message: string): LintProblem => ({ path, severity, message });
export const [fault, warning, info] = [
  problemOf("error"),
  problemOf("warning"),
  problemOf("info"),
] as const;
