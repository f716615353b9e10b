/** A test case, as a model recommends it. */
export interface TestCase {
  /** One sentence. */
  description: string;
  /** `happy path` or `edge case`, as the model was told to write. */
  category: string;
}

/** A test case as a request names it. */
export interface ListedCase {
  /** As it stands in the list: `1. happy path: adds two prices`. */
  line: string;
  /** Without number and category. */
  description: string;
}
