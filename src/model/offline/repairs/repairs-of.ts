import type { CodeLanguage } from "../../../code/code-analysis.ts";
import * as further from "./further.ts";
import { pythonRepairs } from "./python.ts";
import type { Repair } from "./repair.ts";
import { scriptRepairs } from "./script.ts";

const tables: Readonly<Record<CodeLanguage, readonly Repair[]>> = {
  javascript: scriptRepairs,
  typescript: scriptRepairs,
  tsx: scriptRepairs,
  python: pythonRepairs,
  java: further.javaRepairs,
  csharp: further.csharpRepairs,
  c: further.cRepairs,
  cpp: further.cppRepairs,
  go: further.goRepairs,
  php: further.phpRepairs,
  ruby: further.rubyRepairs,
  rust: further.rustRepairs,
};

/** The rules for a language; none where no grammar reads it. */
export function repairsOf(language: CodeLanguage | undefined): readonly Repair[] {
  return language === undefined ? [] : tables[language];
}

/** All patterns of the rules, in their order; undefined where there are none. */
export function queryOf(repairs: readonly Repair[]): string | undefined {
  return repairs.length === 0 ? undefined : repairs.map(({ query }) => query).join("\n");
}
