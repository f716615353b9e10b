import { RE2JS } from "re2js";
import type { CompilePattern } from "./prepare-search.ts";

/** Instructions of a compiled expression; each may be looked at for each character. */
const maxProgram = 1_100;

/** Expressions by RE2JS, in linear time. Only for Node: it is too heavy for the bundle of a Worker. */
export const compilePattern: CompilePattern = (pattern, isCaseSensitive) => {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
  if (compiled.programSize() > maxProgram) return "too-complex";
  return (line) => compiled.test(line);
};
