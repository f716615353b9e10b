import type { Steps } from "../../edit/steps.ts";
import { TemplateProblem } from "../template-problem.ts";

export interface FuelLimits {
  /** The most work, in units. */
  maxTemplateFuel: number;
  /** The longest time, in milliseconds; what bounds work that nobody thought to count. */
  renderTime: number;
}

/** Work of about a millisecond, in units. */
const workOfStep = 100_000;
/** The share of all fuel that may be taken between two pauses: more would keep others waiting. */
const maxShare = 0.15;

/**
 * What the templates of one prompt may do together, in all its renderings. Whatever costs time takes its
 * price from here before it starts. A unit is what takes about 10 ns on a small server.
 */
export class Fuel {
  readonly #limits: FuelLimits;
  readonly #now: () => number;
  #weights: WeakMap<object, Weight> | undefined;
  #fieldCounts: WeakMap<object, number> | undefined;
  #used = 0;
  #stepEnd = workOfStep;
  #milliseconds = 0;
  #resumed: number | undefined;

  /** @param now milliseconds; need not be the time of day */
  constructor(limits: FuelLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** What values were found to weigh. Most prompts weigh none. */
  get weights(): WeakMap<object, Weight> {
    return (this.#weights ??= new WeakMap());
  }

  /** How many fields objects were found to have. */
  get fieldCounts(): WeakMap<object, number> {
    return (this.#fieldCounts ??= new WeakMap());
  }

  /** Units so far. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes the price of what is done next, all at once.
   *
   * @throws TemplateProblem when that is more than is left, or than one operation may take
   */
  use(units: number): void {
    const { maxTemplateFuel } = this.#limits;
    const used = this.#used + units;
    // Not a number is too much, too.
    if (!(used <= maxTemplateFuel)) {
      this.#used = maxTemplateFuel;
      throw new TemplateProblem(
        `rendering takes more than ${maxTemplateFuel} units of work (maxTemplateFuel)`,
      );
    }
    const largest = maxTemplateFuel * maxShare;
    if (used - this.#stepEnd > largest) {
      const share = `${maxShare * 100} % of maxTemplateFuel`;
      throw new TemplateProblem(
        `one operation takes more than ${largest} units of work (${share})`,
      );
    }
    this.#used = used;
  }

  /** Whether so much was done that others should have a turn. */
  get isStepDone(): boolean {
    return this.#used >= this.#stepEnd;
  }

  /**
   * Lets others have a turn; their time is not counted.
   *
   * @throws TemplateProblem when the time is over
   */
  *pause(): Steps<void> {
    this.#stepEnd = this.#used + workOfStep;
    this.stop();
    const { renderTime } = this.#limits;
    if (this.#milliseconds > renderTime)
      throw new TemplateProblem(`rendering takes longer than ${renderTime} ms (renderTime)`);
    yield;
    this.start();
  }

  /** Takes steps that are not counted, with a pause between. */
  *pausing<Result>(steps: Steps<Result>): Steps<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      yield* this.pause();
    }
  }

  /** Starts the clock. */
  start(): void {
    this.#resumed = this.#now();
  }

  /** Stops the clock. */
  stop(): void {
    if (this.#resumed !== undefined) this.#milliseconds += this.#now() - this.#resumed;
    this.#resumed = undefined;
  }
}

/** How much a value holds, at all depths. */
export interface Weight {
  /** Values: itself, the items of lists, the fields of objects. */
  items: number;
  /** Characters of its texts and of the names of its fields. */
  characters: number;
  /** Those of them that stand in texts which JSON prints slowly. */
  oddCharacters: number;
  /** The sum of the items' depths, which indented JSON prints as blanks. */
  depths: number;
  /** Levels of lists and objects. */
  height: number;
}
