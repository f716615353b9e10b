import { trimEndSigns } from "../../../src/base/text/trim.ts";
import type { EditCase } from "./edit-case.ts";

/** What each grade means, the good ones first. */
export const grades = {
  C: "right, byte by byte or refused as due",
  N: "right but for line ends, blank lines, blanks",
  R: "refused though applicable",
  Z: "reported success, changed nothing",
  P: "reported failure, carries a text",
  W: "wrong text reported as success",
  X: "threw, or took too long",
} as const;
export type Grade = keyof typeof grades;

/** What the engine made of a case; undefined if it threw or took too long. */
export type Answer = { ok: true; text: string } | { ok: false; text?: string } | undefined;

/** Grades as bench/edit of the shared folder does. */
export function grade(wanted: EditCase, answer: Answer): Grade {
  if (answer === undefined) return "X";
  if (!answer.ok) {
    if (answer.text !== undefined) return "P";
    return wanted.want === "apply" ? "R" : "C";
  }
  const { text } = answer;
  const isRight =
    wanted.want === "refuse" ? (wanted.allow ?? []).includes(text) : text === wanted.after;
  if (isRight) return "C";
  if (text === wanted.before) return "Z";
  return wanted.want !== "refuse" && isNear(text, wanted.after ?? "") ? "N" : "W";
}

function isNear(text: string, wanted: string): boolean {
  return wanted === "" ? text.trim() === "" : nearKey(text) === nearKey(wanted);
}

/** Equal for texts that differ in line ends, blank lines, trailing blanks, and the width of blanks inside lines. */
function nearKey(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => trimEndSigns(line, " \t\u00a0").replaceAll(/(\S)[ \t]+/g, "$1 "))
    .filter((line) => line !== "")
    .join("\n");
}
