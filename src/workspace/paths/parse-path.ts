import { refusePath, succeed } from "../problems.ts";
import type { WorkspaceResult } from "../workspace.ts";

/** Of a path, in UTF-16 code units. */
const maxPath = 4096;

export interface PathRules {
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
    } else if (isOddSegment(segment, isWindows) || (nth === 0 && isHome(segment))) return undefined;
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

/** A model that writes `~/x` means the person's home. */
function isHome(segment: string): boolean {
  return segment.startsWith("~");
}
