// What test skeletons of all languages share.
import { trimEndSigns } from "../../edit/trim-signs.ts";
import { capitalize, type TestTarget } from "./test-target.ts";
import type { OfflineTexts } from "./texts.ts";

/** Writes the lines of a test file; cases are one line each. */
export type Skeleton = (
  target: TestTarget,
  cases: readonly string[],
  texts: OfflineTexts,
) => string[];

/** A note for code that tests cannot import. */
export function noteHidden(
  { name, isHidden }: TestTarget,
  sign: string,
  texts: OfflineTexts,
): string[] {
  return isHidden ? [`${sign} ${texts.todoHidden(name)}`] : [];
}

/** Ends no comment, goes on in no next line, and is no Unicode escape of Java. */
export function toComment(text: string): string {
  return trimEndSigns(text.replaceAll("*/", "* /").replaceAll("\\u", "\\ u"), "\\");
}

/** `cart_total` */
export function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join("_")
    .toLowerCase();
}

/** `CartTotal` */
export function toPascalCase(name: string): string {
  return name
    .split(/[^\p{L}\p{N}]+/u)
    .map(capitalize)
    .join("");
}
