// The tests that a project has, as far as the request brings them: one to follow, and the one that is there already.
import { linesOf } from "../../context/active-editor.ts";
import { fence } from "../../context/fence.ts";
import { languageOf } from "../../context/language.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import type { PromptFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { listGivenFiles, listPassages, type OtherFile } from "../ask/other-files.ts";
import type { EditTarget } from "../edit/edit-target.ts";
import { linesBetween } from "../place/lines-between.ts";

/** The test file of the code under test. */
export interface ExistingTests extends OtherFile {
  /** Else a passage of it. */
  isWhole: boolean;
}

export interface ProjectTests {
  existing: ExistingTests | undefined;
  /** The path that the tests of the project suggest; "" where they suggest none. */
  path: string;
  facts: Pick<PromptFacts, "testFile" | "testIndent" | "testImport">;
}

const testName = /(?:^|\/)(?:test_[^/]+|[^/]+(?:[._-](?:test|tests|spec|specs)|Tests?|Spec))\.\w+$/;
const testFolder = /^(?:.*\/)?(?:tests?|specs?|__tests__)(?=\/)/;
const sourceFolder = /^(?:.*\/)?(?:src|lib|app|source)\//;
/** Languages whose frameworks find tests wherever they are: there the project's own way counts. */
const freeLanguages =
  /^(?:javascript|typescript|tsx|javascriptreact|typescriptreact|python|ruby|php)$/;
/** Longer ones are not sent. */
const maxExisting = 40_000;

export function findProjectTests(
  turn: Turn,
  target: EditTarget,
  analysis: CodeAnalysis,
): ProjectTests {
  const isAlike = ({ path }: OtherFile): boolean =>
    testName.test(path) && familyOf(languageOf(path)) === familyOf(target.language);
  const whole = listGivenFiles(turn).filter(isAlike);
  const tests = [...whole, ...listPassages(turn).filter(isAlike)];
  const isOwn = ({ path }: OtherFile): boolean => testedName(path) === baseOf(target.path);
  const own = tests.find((file) => isOwn(file) && file.text.length <= maxExisting);
  const existing = own && { ...own, isWhole: whole.includes(own) };
  const [example] = tests;
  const followed = own ?? example;
  const suggested = own?.path ?? (example === undefined ? "" : pathLike(example.path, target));
  return {
    existing,
    path: suggested,
    facts: {
      testFile: existing && `${existing.source}\n${fence(existing.text, target.language)}`,
      testIndent: indentOf(followed?.text ?? target.text),
      testImport: followed === undefined ? importOf(target, analysis) : importIn(followed.text),
    },
  };
}

/** Where the test of a file belongs if it is named and placed like another one. */
function pathLike(test: string, { path, language }: EditTarget): string {
  if (!freeLanguages.test(language)) return "";
  const base = baseOf(path);
  const ending = path.slice(path.lastIndexOf("."));
  const named = test.slice(test.lastIndexOf("/") + 1);
  const affix = /([._-](?:test|tests|spec|specs)|Tests?|Spec)\.\w+$/.exec(named)?.[1];
  const name = affix === undefined ? `test_${base}${ending}` : `${base}${affix}${ending}`;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [root] = testFolder.exec(test) ?? [];
  if (root === undefined) return folder + name;
  if (root.endsWith("__tests__")) return `${folder}__tests__/${name}`;
  // Of tests without folders among them it is not known that they mirror the source.
  const isFlat = test === `${root}/${named}`;
  const inside = isFlat ? "" : folder.replace(sourceFolder, "");
  return `${root}/${inside}${name}`;
}

/** `cart` of `src/cart.ts`. */
function baseOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(0, Math.max(name.lastIndexOf("."), 0));
}

/** What a test file is named after: `cart` of `test_cart.py` and `cart.spec.ts`. */
function testedName(path: string): string {
  return baseOf(path)
    .replace(/^test_/, "")
    .replace(/(?:[._-](?:test|tests|spec|specs)|Tests?|Spec)$/, "");
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
function importOf({ text }: EditTarget, { imports }: CodeAnalysis): string | undefined {
  const near = imports.find(({ source }) => source.startsWith(".")) ?? imports[0];
  if (near === undefined || near.range.startLine !== near.range.endLine) return undefined;
  return linesBetween(text, near.range.startLine, near.range.endLine).trim().slice(0, 200);
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
