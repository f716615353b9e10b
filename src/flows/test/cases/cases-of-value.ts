import { type CaseField, describeCase, fieldOf, type FoundCase } from "./case-fields.ts";

/** What is far beyond the cases that are shown is not even looked at. */
const maxElements = 300;
const deepest = 6;

/**
 * The test cases that a JSON value lists: a list of them, of texts or objects, under whatever name, or lists by
 * category. None if it is something else.
 */
export function casesOfValue(value: unknown, category?: string, depth = 0): FoundCase[] {
  if (depth > deepest || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value
      .slice(0, maxElements)
      .flatMap((element: unknown) => casesOfElement(element, category, depth));
  }
  const entries = Object.entries(value).slice(0, maxElements);
  const lists = entries.filter(([, inner]) => typeof inner === "object" && inner !== null);
  const wrapped = lists.filter(([key]) => isWrapper(key));
  return (wrapped.length > 0 ? wrapped : lists).flatMap(([key, inner]) =>
    casesOfValue(inner, isWrapper(key) ? category : readable(key), depth + 1),
  );
}

function casesOfElement(
  element: unknown,
  category: string | undefined,
  depth: number,
): FoundCase[] {
  if (typeof element === "string") return [{ description: element, category }];
  if (typeof element !== "object" || element === null) return [];
  const known = readFields(element);
  const description = describeCase(known);
  if (description !== "") return [{ description, category: known.category ?? category }];
  return casesOfValue(element, known.category ?? category, depth + 1);
}

function readFields(element: object): Partial<Record<CaseField, string>> {
  const known: Partial<Record<CaseField, string>> = {};
  for (const [key, value] of Object.entries(element).slice(0, maxElements)) {
    const field = fieldOf(key);
    if (field === undefined || known[field] !== undefined) continue;
    const isPlain = typeof value === "string" || typeof value === "number";
    // What goes in and comes out may be of any kind.
    if (isPlain || field === "input" || field === "expected") known[field] = print(value);
  }
  return known;
}

function print(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Names of the list as a whole, which say nothing of the cases. */
function isWrapper(key: string): boolean {
  return /^(?:test|unit)?[_ -]?(?:tests?|cases?|data|results?|answer|items|list)$|^(?:unit[_ -]?)?test[_ -]?cases?$|^recommended|测试用例$|^用例$/i.test(
    key,
  );
}

/** `edge_cases` as words. */
function readable(key: string): string {
  return key.replaceAll(/[_-]+/g, " ");
}
