/** A line, or lines, behind a path. */
const placeInFile = /(?::L?\d{1,9}(?:[-:]L?\d{1,9})?|#L?\d{1,9}(?:-L?\d{1,9})?)$/;

/**
 * Whether a path that an answer names means a file: by the whole path, by an end of either, with `a/` or
 * `b/` of a diff before it, with either slash, or by naming nothing. A longer name may mean another file
 * where the file's path is a bare name, unless the name is absolute.
 *
 * @param path of the file; "" where it is not known
 */
export function isSameFile(named: string | undefined, path: string): boolean {
  const trimmed = (named?.trim() ?? "").replace(placeInFile, "");
  if (trimmed === "" || path === "") return true;
  const [one, other] = [segmentsOf(trimmed), segmentsOf(path)];
  if (isEndOfEither(one, other, /^(?:[\\/]|[a-z]:)/i.test(trimmed))) return true;
  const isPrefixed = one.length > 1 && (one[0] === "a" || one[0] === "b");
  return isPrefixed && isEndOfEither(one.slice(1), other, false);
}

/** Whether both have one name, in whatever folders. */
export function hasSameName(named: string | undefined, path: string): boolean {
  const name = segmentsOf((named?.trim() ?? "").replace(placeInFile, "")).at(-1);
  return name !== undefined && name === segmentsOf(path).at(-1);
}

function isEndOfEither(
  named: readonly string[],
  path: readonly string[],
  isAbsolute: boolean,
): boolean {
  if (named.length > path.length && path.length === 1 && !isAbsolute) return false;
  const [short, long] = named.length < path.length ? [named, path] : [path, named];
  return short.every((segment, nth) => segment === long[long.length - short.length + nth]);
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
}
