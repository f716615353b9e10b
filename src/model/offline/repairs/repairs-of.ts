import type { CodeLanguage } from "../../../code/code-analysis.ts";
import { furtherRepairs } from "./further.ts";
import { pythonRepairs as python } from "./python.ts";
import type { Repair } from "./repair.ts";
import { scriptRepairs } from "./script.ts";

const scripts = { javascript: scriptRepairs, typescript: scriptRepairs, tsx: scriptRepairs };
const tables: Record<CodeLanguage, readonly Repair[]> = { ...scripts, ...furtherRepairs, python };

/** The rules for a language; none where no grammar reads it. */
export function repairsOf(language: CodeLanguage | undefined): readonly Repair[] {
  return language === undefined ? [] : tables[language];
}

/** All patterns of the rules, in their order; undefined where there are none. */
export function queryOf(repairs: readonly Repair[]): string | undefined {
  return repairs.length === 0 ? undefined : repairs.map(({ query }) => query).join("\n");
}
