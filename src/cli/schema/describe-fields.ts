/** A JSON Schema as `z.toJSONSchema` prints it, as far as fields can be found in it. */
export interface SchemaNode {
  description?: string;
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * Writes descriptions into a JSON Schema, in place.
 *
 * @param root what the paths begin with
 * @param descriptions by the ends of paths, such as `commands[].name`; the longest one that fits counts
 */
export function describeFields(
  schema: SchemaNode,
  root: string,
  descriptions: Readonly<Record<string, string>>,
): void {
  visit(schema, root, (field, path) => {
    const description = findDescription(path, descriptions);
    if (description !== undefined) field.description = description;
  });
}

/** Calls back for each field of a schema, at every depth, with its path. */
export function visit(
  schema: SchemaNode,
  path: string,
  onField: (field: SchemaNode, path: string) => void,
): void {
  const { properties = {}, items, anyOf = [] } = schema;
  const here = namedItem(path, properties["name"]?.const);
  for (const [name, field] of Object.entries(properties)) {
    onField(field, `${here}.${name}`);
    visit(field, `${here}.${name}`, onField);
  }
  if (typeof items === "object") visit(items, `${path}[]`, onField);
  for (const option of anyOf) visit(option, path, onField);
}

/** `contextVariables[]` becomes `contextVariables[vcs]`. */
function namedItem(path: string, name: unknown): string {
  return typeof name === "string" ? path.replace(/\[\]$/, `[${name}]`) : path;
}

function findDescription(
  path: string,
  descriptions: Readonly<Record<string, string>>,
): string | undefined {
  const ends = Object.keys(descriptions).sort((left, right) => right.length - left.length);
  const fits = (at: string): string | undefined => ends.find((end) => isEnd(at, end));
  // What holds for every item of a list is not repeated for those with names.
  const end = fits(path) ?? fits(path.replaceAll(/\[\w+\]/g, "[]"));
  return end === undefined ? undefined : descriptions[end];
}

/** Whole names only: `contents` does not end with `tents`. `Options.x` fits both spellings. */
function isEnd(path: string, end: string): boolean {
  if (!path.endsWith(end)) return false;
  const before = path.at(-end.length - 1) ?? ".";
  return /[.[]/.test(before) || end.startsWith("Options.");
}
