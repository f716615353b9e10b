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

const text = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
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
    return this.#match(text) ?? this.#fail("this text has no end, or holds a sign that needs a \\");
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
