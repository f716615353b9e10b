import { BoundedMap } from "../../../base/wire/bounded-map.ts";

/** How long a parameter stays left out, in milliseconds. */
const lifetime = 3_600_000;
/** Models of one row that are remembered: their names may come from requests. */
const maxModels = 1_000;

/** Two names of one limit: the server that refuses one may know the other. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["max_tokens", "max_completion_tokens"],
  ["max_completion_tokens", "max_tokens"],
]);

interface Rule {
  /** Undefined: the parameter is left out. */
  replacement: string | undefined;
  until: number;
}

/** What has become of a parameter that a server refused. */
export interface ParameterChange {
  param: string;
  /** The name that its value goes under from now on; absent: it is left out. */
  replacement?: string;
}

/** Which of the parameters that we add the models of one row have refused within the last hour. */
export class RefusedParameters {
  readonly #now: () => number;
  readonly #models = new BoundedMap<string, Map<string, Rule>>(maxModels, () => 1);

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a model has refused a parameter, by {@link add} or {@link learn}. */
  has(model: string, param: string): boolean {
    return (this.#models.get(model)?.get(param)?.until ?? 0) > this.#now();
  }

  /** Remembers that a model refused a parameter. @param replacement what its value goes under; undefined: nothing */
  add(model: string, param: string, replacement?: string): void {
    const rules = this.#models.get(model) ?? new Map<string, Rule>();
    rules.set(param, { replacement, until: this.#now() + lifetime });
    this.#models.set(model, rules);
  }

  /** The body as the model takes it; itself where nothing was refused. */
  apply(model: string, body: object, added: readonly string[]): object {
    const rules = this.#models.get(model);
    if (rules === undefined) return body;
    const isRefused = (name: string): boolean => this.has(model, name);
    const changed: Record<string, unknown> = { ...body };
    for (const name of added) {
      if (!isRefused(name)) continue;
      const replacement = rules.get(name)?.replacement;
      if (replacement !== undefined && !isRefused(replacement))
        changed[replacement] = changed[name];
      delete changed[name];
    }
    return changed;
  }

  /**
   * Remembers that a model refused a parameter of `sent`.
   *
   * @param added the names of those that we added
   * @returns what becomes of it; undefined if it is not ours to leave out, or was not sent
   */
  learn(
    model: string,
    sent: object,
    added: readonly string[],
    param: string,
  ): ParameterChange | undefined {
    const other = otherNames.get(param);
    const isOurs = added.includes(param) || (other !== undefined && added.includes(other));
    if (!isOurs || !Object.hasOwn(sent, param)) return undefined;
    const replacement = other === undefined || this.has(model, other) ? undefined : other;
    this.add(model, param, replacement);
    return { param, ...(replacement === undefined ? {} : { replacement }) };
  }
}
