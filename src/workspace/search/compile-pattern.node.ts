import { createRequire } from "node:module";
import type { CompilePattern } from "./prepare-search.ts";

const require = createRequire(import.meta.url);
/** Instructions of a compiled expression; each may be looked at for each character. */
const maxProgram = 1_100;

/** Expressions by RE2JS, in linear time. Only for Node: it is too heavy for the bundle of a Worker. */
export const compilePattern: CompilePattern = (pattern, isCaseSensitive) => {
  // With the first expression: a server without searches need not hold it.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  let compiled: InstanceType<typeof RE2JS>;
  try {
    compiled = RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
  if (compiled.programSize() > maxProgram) return "too-complex";
  return (line) => compiled.test(line);
};
