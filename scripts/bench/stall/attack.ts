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
  /** The bytes of the model's answer instead, but for its end, as pieces that are written one by one. */
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

/** A request of the platform, by the command, what its context variables are, and what else it holds. */
export interface Asked {
  command?: string;
  variables?: readonly unknown[];
  [more: string]: unknown;
}

/** An attack by a request; the model is the one that knows the attack's answer. */
export function attackBy(
  group: Attack["group"],
  about: string,
  ask: (nth: number) => Asked,
  more: Partial<Attack> = {},
): Attack {
  const name = `${group}: ${about}`;
  const body = (nth: number): string => {
    const { variables: contextVariables, ...rest } = ask(nth);
    return JSON.stringify({ agent: "rightseat", model: name, ...rest, contextVariables });
  };
  return { group, name, body, ...more };
}

export function many<Item>(count: number, create: (nth: number) => Item): Item[] {
  return Array.from({ length: count }, (_, nth) => create(nth));
}

/** Lines of a text, or of code. */
export function lines(count: number, line: (nth: number) => string): string {
  return many(count, (nth) => `${line(nth)}\n`).join("");
}

export function editor(content: string, path = "a.ts", language = "typescript"): object {
  return { name: "activeEditor", value: { filePath: path, language, content } };
}

export function question(value: string): object {
  return { name: "userInputPrompt", value };
}

/** One SEARCH/REPLACE block. */
export function unit(search: string, replace: string): string {
  return `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;
}

/** A definition of one command with these templates. */
export function definitionOf(templates: readonly string[]): object {
  const messageTemplates = templates.map((template) => ({ role: "user", template }));
  const commands = [{ name: "run", messageTemplates }];
  return { name: "attacker", version: "1", type: "proxy", commands };
}

/** An event of a model's answer. */
export function printEvent(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const chunk = { id: "stall-1", object: "chat.completion.chunk", created: 1, model: "m", choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
