const asText = Symbol("asText");

/** Gives a value the text that `{{ value }}` stands for; its fields stay reachable as they are. */
export function withText<Value extends object>(value: Value, text: () => string): Value {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.defineProperty(copy, asText, { value: text });
  // A spread copy has the same own fields, and templates reach own fields only.
  return copy as Value;
}

/** What a value looks like in a prompt: its own text, else JSON for objects, else the plain value. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value) ?? "";
  const own: unknown = Reflect.get(value, asText);
  // Only withText sets this symbol, to a function that answers text.
  return typeof own === "function" ? (own as () => string)() : JSON.stringify(value, null, 2);
}
