// The tests that a project has, as far as the request brings them: one to follow, and the one that is there already.
import { fence } from "../../base/text/fence.ts";
import { languageOf } from "../../turn/context/language.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import type { PromptFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type OtherFile, listGivenFiles, listPassages } from "../ask/plan-context.ts";
import type { EditTarget } from "../place/edit-target.ts";
import { textOfLines } from "../place/lines-within.ts";
import { isTestPath, pathLike, rankTestPath } from "./test-path.ts";
import { linesOf } from "../../base/text/lines.ts";

/** The test file of the code under test. */
export interface ExistingTests extends OtherFile {
  /** Else a passage of it. */
  isWhole: boolean;
}

export interface ProjectTests {
  existing: ExistingTests | undefined;
  /** The path that the tests of the project suggest; "" where they suggest none. */
  path: string;
  /** The text of the test that shows how the project writes them; "" where there is none. */
  followed: string;
  facts: Pick<PromptFacts, "testFile" | "testIndent" | "testImport">;
}

/** Longer ones are not sent. */
const maxExisting = 40_000;

/** @param usual the path that the framework's convention gives; "" where it gives none */
export function findProjectTests(
  turn: Turn,
  target: EditTarget,
  analysis: CodeAnalysis,
  usual: string,
): ProjectTests {
  const isAlike = ({ path }: OtherFile): boolean =>
    isTestPath(path) && familyOf(languageOf(path)) === familyOf(target.language);
  const rankOf = ({ path }: OtherFile): number => rankTestPath(path, target.path, usual);
  const isOwn = (file: OtherFile): boolean =>
    isAlike(file) && file.text.length <= maxExisting && rankOf(file) > 0;
  const [own] = [
    ...listGivenFiles(turn, isOwn).map((file) => ({ ...file, isWhole: true })),
    ...listPassages(turn, isOwn).map((file) => ({ ...file, isWhole: false })),
  ].sort((left, right) => rankOf(right) - rankOf(left));
  const [example] = [...listGivenFiles(turn, isAlike), ...listPassages(turn, isAlike)];
  const existing: ExistingTests | undefined = own;
  const followed = own ?? example;
  const suggested = own?.path ?? (example === undefined ? "" : pathLike(example.path, target));
  return {
    existing,
    path: suggested,
    followed: followed?.text ?? "",
    facts: {
      testFile: existing && `${existing.source}\n${fence(existing.text, target.language)}`,
      testIndent: indentOf(followed?.text ?? target.text),
      testImport: followed === undefined ? importOf(analysis) : importIn(followed.text),
    },
  };
}

function familyOf(language: string): string {
  return /^(?:javascript|typescript|tsx|vue)/.test(language) ? "script" : language;
}

/** `tab`, or how many spaces a level has; undefined where nothing is indented. */
function indentOf(text: string): string | undefined {
  const indents = linesOf(text.slice(0, maxExisting)).flatMap(
    (line) => /^(?:\t| {2,8}(?=[^\s*]))/.exec(line)?.[0] ?? [],
  );
  const [first] = indents;
  if (first === undefined) return undefined;
  // The first indented line may be one of a comment or of a list that is deeper.
  return first === "\t" ? "tab" : String(Math.min(...indents.map((indent) => indent.length)));
}

/** A line that imports from the project, else any, as the file under test has it. */
function importOf({ imports, source }: CodeAnalysis): string | undefined {
  const near = imports.find((one) => one.source.startsWith(".")) ?? imports[0];
  if (near === undefined || near.range.startLine !== near.range.endLine) return undefined;
  return textOfLines(source, near.range.startLine, near.range.endLine).trim().slice(0, 200);
}

/** The same of a test, whose lines say it without a grammar. */
function importIn(text: string): string | undefined {
  const lines = linesOf(text.slice(0, maxExisting)).filter((line) =>
    /^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.*\brequire\(|require\b|require_relative\b|use\s)/.test(
      line,
    ),
  );
  const near = lines.find((line) => /["']\.|from \.|_relative/.test(line)) ?? lines[0];
  return near?.trim().slice(0, 200);
}
