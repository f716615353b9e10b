// Paths as models write them: with the root's own name, the prefixes of a diff, a line number, in quotes.
import { refusePath, succeed } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";

/** Where one reading of a path leads: as the workspace names it, and whether something is there. */
interface Reading {
  path: string;
  isThere: boolean;
}

/** A line, or lines, behind a path. */
const place =
  /(?::L?\d{1,9}(?:[-:,]L?\d{1,9}){0,2}|#L?\d{1,9}(?:[-:,]L?\d{1,9})?|,? (?:lines? \d{1,9}(?:-\d{1,9})?|\(lines? \d{1,9}(?:-\d{1,9})?\)))$/i;
const quoted =
  /^(?:`([^`]+)`|"([^"]+)"|'([^']+)'|<([^<>]+)>|\*\*([^*]+)\*\*|\[[^[\]]*\]\(([^()]+)\))$/;
/** A step up; `[...slug].ts` is a name. */
const leading = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
/** Signs around a path that nobody sees. */
const unseen = /[\s\p{Cc}\p{Cf}]/u;
/** A shell's way to write a space, of which no new folder is made. */
const shellSpace = /[\\/]\s/;

/**
 * The path itself if something is there, else the one of its readings that leads to something. What is not there is
 * placed by the same readings: the name of the root, or a prefix of a diff, becomes no new folder.
 *
 * @param rootNames last segments of the root's path
 * @param look resolves a path, with all rules for paths, and looks whether it leads to something
 */
export async function resolveWritten<Place extends Reading>(
  written: string,
  rootNames: readonly string[],
  look: (path: string, isLocatedOnly?: boolean) => Promise<WorkspaceResult<Place>>,
): Promise<WorkspaceResult<Place>> {
  const bare = trim(unquote(trim(written))).replace(place, "");
  const relative = bare.replace(/^[\\/](?![\\/])/, "") || ".";
  // An accent may be a part of its letter, or a sign of its own.
  const spellings = [relative.normalize("NFC"), relative.normalize("NFD")];
  const below = withoutFolder(relative, ["a", "b", ...rootNames]);
  const isPlain =
    below === undefined &&
    !shellSpace.test(written) &&
    [relative, ...spellings].every((spelling) => spelling === written);
  // What leads up, or no system takes, is taken as it is written.
  const isOne = isPlain || written === "" || leading.test(written) || /\0| $/.test(written);
  const first = await look(written, isOne);
  if (isOne || isThere(first)) return first;
  // A folder of that name is meant where there is one.
  const isPrefix = below !== undefined && !isThere(await look(relative.slice(0, -below.length)));
  const deeper = isPrefix ? withoutFolder(below, rootNames) : undefined;
  // A package often has the name of its root: then a folder that is not there says which of them was meant.
  const isDoubled =
    below !== undefined &&
    !isPrefix &&
    withoutFolder(relative, rootNames) !== undefined &&
    !isThere(await look(relative.slice(0, relative.search(/[\\/][^\\/]*$/) + 1)));
  const readings = [
    bare,
    relative,
    ...spellings,
    ...(isPrefix ? [below, deeper] : []),
    ...(isDoubled ? [below] : []),
  ];
  const found = new Map<string, WorkspaceResult<Place>>();
  for (const reading of new Set(readings)) {
    if (reading === undefined) continue;
    const located = await look(reading || ".");
    if (located.ok && located.value.isThere) found.set(located.value.path, located);
  }
  const [only] = found.values();
  if (found.size > 0) return found.size === 1 && only !== undefined ? only : first;
  if (shellSpace.test(bare)) return refusePath("outside", written);
  return first.ok || trim(written) !== written ? placeNew() : first;

  async function placeNew(): Promise<WorkspaceResult<Place>> {
    const isOfRoot = rootNames.some((name) => relative.startsWith(name));
    const [folder, ...rest] = (below ?? "").split(/[\\/]+/);
    const isPlaced =
      isPrefix && (isOfRoot || (rest.length > 0 && isThere(await look(folder || "."))));
    if (isDoubled && withoutFolder(below, rootNames) !== undefined) return look(below);
    return look(isPlaced ? (deeper ?? below) : bare);
  }
}

function isThere(located: WorkspaceResult<Reading>): boolean {
  return located.ok && located.value.isThere;
}

function withoutFolder(path: string, names: readonly string[]): string | undefined {
  const start = /^(?:\.[\\/]+)+/.exec(path)?.[0].length ?? 0;
  const [folder = ""] = /^[^\\/]+/.exec(path.slice(start)) ?? [];
  if (!names.includes(folder)) return undefined;
  return path.slice(start + folder.length).replace(/^[\\/]+/, "") || undefined;
}

function trim(path: string): string {
  let [start, end] = [0, path.length];
  while (start < end && unseen.test(path.charAt(start))) start += 1;
  while (end > start && unseen.test(path.charAt(end - 1))) end -= 1;
  return path.slice(start, end);
}

function unquote(path: string): string {
  const found = quoted.exec(path);
  return found?.slice(1).find((inner) => inner !== undefined) ?? path;
}

/** Of a path, in UTF-16 code units. */
const maxPath = 4096;

interface PathRules {
  /** Absolute paths of the root, in all spellings that are taken, with "/" and without one at the end. */
  roots: readonly string[];
  /** Device names are refused, and roots compared in any letter case, on Windows alone. */
  isWindows: boolean;
}

const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/**
 * Reads what a model wrote as a path: relative to the root with "/" or "\", or absolute inside it. Nothing is
 * decoded. Links are not looked at.
 *
 * @returns the segments joined with "/", without "." and ".."; "" is the root itself
 */
export function parsePath(written: string, rules: PathRules): WorkspaceResult<string> {
  const path = parseSegments(written, rules);
  return path === undefined ? refusePath("outside", written) : succeed(path);
}

function parseSegments(written: string, { roots, isWindows }: PathRules): string | undefined {
  if (written === "" || written.length > maxPath || written.includes("\0")) return undefined;
  const slashed = written.replaceAll("\\", "/");
  const inside = cutRoot(slashed, roots, isWindows);
  if (inside === undefined) return undefined;
  const segments: string[] = [];
  for (const [nth, segment] of inside.split("/").entries()) {
    if (segment === "" || segment === ".") continue;
    // A path that leaves the root on its way is refused, though it may come back.
    if (segment === "..") {
      if (segments.pop() === undefined) return undefined;
      // A model that writes `~/x` means the person's home.
    } else if (isOddSegment(segment, isWindows) || (nth === 0 && segment.startsWith("~")))
      return undefined;
    else segments.push(segment);
  }
  return segments.join("/");
}

/** The part below the root; undefined for an absolute path elsewhere, a network share or a device. */
function cutRoot(path: string, roots: readonly string[], isWindows: boolean): string | undefined {
  const fold = (text: string): string => (isWindows ? text.toLowerCase() : text);
  if (!path.startsWith("/") && !/^[a-z]:/i.test(path)) return path;
  if (path.startsWith("//")) return undefined;
  for (const root of roots) {
    const base = root === "/" ? "" : root;
    if (fold(path) === fold(base)) return "";
    if (fold(path).startsWith(`${fold(base)}/`)) return path.slice(base.length + 1);
  }
  return undefined;
}

/** Windows drops dots and spaces at the end, and reads what follows a colon as the name of a stream or a drive. */
function isOddSegment(segment: string, isWindows: boolean): boolean {
  if (segment.endsWith(".") || segment.endsWith(" ") || segment.includes(":")) return true;
  const [stem = ""] = segment.split(".", 1);
  return isWindows && devices.test(stem.trimEnd());
}
