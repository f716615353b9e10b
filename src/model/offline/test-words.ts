// How names and cases are written in test files.
import { trimEndSigns } from "../../edit/trim-signs.ts";

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
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
