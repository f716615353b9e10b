/** What one attack sends, and how the fake model answers it. */
export interface Attack {
  group: "template" | "file" | "answer" | "request" | "changes" | "knowledge" | "flood" | "random";
  /** Unique; the fake model knows the attack by it. */
  name: string;
  /**
   * The body of the request.
   *
   * @param nth another number each time, so that nothing answers from a memory
   */
  body: (nth: number) => string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  /** The text of the model's answer; "Done." where absent. */
  answer?: () => string;
  /** The bytes of the model's answer instead, as pieces that are written one by one. */
  pieces?: () => Iterable<string>;
  /** What one connection sends as fast as it is taken, for a second, in place of a request with that body. */
  flood?: Flood;
  /** How many such requests come at once; 1 where absent. */
  parallel?: number;
}

export interface Flood {
  /** Opens a WebSocket first. */
  isSocket: boolean;
  /** Whether the client reads what comes back. */
  reads: boolean;
  /** As it goes over the wire; it is sent again and again. */
  bytes: () => Buffer;
}

/** Lines of a text, or of code. */
export function repeatLines(count: number, line: (nth: number) => string): string {
  return Array.from({ length: count }, (_, nth) => `${line(nth)}\n`).join("");
}

/** A request of the platform; the model is the one that knows the attack's answer. */
export function toBody(name: string, request: object): string {
  return JSON.stringify({ agent: "rightseat", model: name, ...request });
}

export function editorOf(content: string, path = "a.ts", language = "typescript"): object {
  return { name: "activeEditor", value: { filePath: path, language, content } };
}

/** A definition of one command with these templates. */
export function definitionOf(...templates: readonly string[]): object {
  const messageTemplates = templates.map((template) => ({ role: "user", template }));
  return {
    name: "attacker",
    version: "1",
    type: "proxy",
    commands: [{ name: "run", messageTemplates }],
  };
}
