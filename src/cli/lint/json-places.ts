// Where the values of a JSON text begin, by their paths, and where a text that is not JSON goes wrong.
interface JsonPlace {
  /** Where the value begins, as an index of the text. */
  value: number;
  /** Where its name begins; absent for items of lists and for the root. */
  key?: number;
}

export interface JsonPlaces {
  /** By paths as `commands[0].name`; the root is `""`. Of a name that comes twice, the last. */
  places: ReadonlyMap<string, JsonPlace>;
  /** The first fault; what comes after it has no place. */
  problem?: { at: number; message: string };
}

/** Deeper values have no place. */
const maxDepth = 500;

/** Reads a text as JSON.parse does, but remembers places. */
export function findJsonPlaces(text: string): JsonPlaces {
  const reader = new JsonReader(text);
  try {
    reader.readAll();
    return { places: reader.places };
  } catch (thrown) {
    if (!(thrown instanceof JsonFault)) throw thrown;
    return { places: reader.places, problem: { at: thrown.at, message: thrown.message } };
  }
}

class JsonFault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const quoted = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class JsonReader {
  readonly places = new Map<string, JsonPlace>();
  readonly #text: string;
  #at = 0;

  constructor(source: string) {
    this.#text = source;
  }

  readAll(): void {
    this.#skipSpace();
    this.#readValue("", undefined, 0);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail("there is more after the end of the value");
  }

  #readValue(path: string, key: number | undefined, depth: number): void {
    if (depth > maxDepth) this.#fail("it is nested too deeply");
    this.places.set(path, { value: this.#at, ...(key === undefined ? {} : { key }) });
    const sign = this.#text[this.#at];
    if (sign === "{") this.#readMembers(path, depth);
    else if (sign === "[") this.#readItems(path, depth);
    else if (sign === '"') this.#readText();
    else if (this.#match(word) === undefined) this.#fail(this.#describeOdd("a value"));
  }

  #readMembers(path: string, depth: number): void {
    this.#readParts("}", () => {
      const at = this.#at;
      if (this.#text[at] !== '"') this.#fail(this.#describeOdd("a name in double quotes"));
      const name: unknown = JSON.parse(this.#readText());
      this.#skipSpace();
      if (!this.#take(":")) this.#fail("a colon is missing after the name");
      this.#skipSpace();
      this.#readValue(path === "" ? String(name) : `${path}.${String(name)}`, at, depth + 1);
    });
  }

  #readItems(path: string, depth: number): void {
    let index = 0;
    this.#readParts("]", () => {
      this.#readValue(`${path}[${index}]`, undefined, depth + 1);
      index += 1;
    });
  }

  /** What is between brackets, with commas between the parts. */
  #readParts(end: string, readPart: () => void): void {
    this.#at += 1;
    this.#skipSpace();
    if (this.#take(end)) return;
    for (;;) {
      readPart();
      this.#skipSpace();
      if (this.#take(end)) return;
      const comma = this.#at;
      if (!this.#take(",")) this.#fail(this.#describeOdd(`a comma or ${end}`));
      this.#skipSpace();
      if (this.#text[this.#at] === end)
        this.#fail(`there is a comma too many before ${end}`, comma);
    }
  }

  #readText(): string {
    return (
      this.#match(quoted) ?? this.#fail("this text has no end, or holds a sign that needs a \\")
    );
  }

  #describeOdd(expected: string): string {
    const rest = this.#text.slice(this.#at);
    if (rest === "") return `the text ends where ${expected} is expected`;
    if (rest.startsWith("'")) return "texts are written in double quotes";
    if (rest.startsWith("//") || rest.startsWith("/*")) return "comments are not allowed in JSON";
    return `${expected} is expected here`;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #fail(message: string, at = this.#at): never {
    throw new JsonFault(at, message);
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
  if (path === "(file)") return problem?.at ?? places.get("")?.value ?? 0;
  for (let known = path; ; known = parentOf(known)) {
    const place = places.get(known);
    if (place !== undefined) return place.key ?? place.value;
    if (known === "") return 0;
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
