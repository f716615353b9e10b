import { foldPath } from "./guard-of.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Folders of which runners collect tests, or what belongs to these. In lower case. */
const folders = words(`
  test tests __test__ __tests__ spec specs __mocks__ __snapshots__ __fixtures__ testdata
  testthat testutil testutils testhelpers testsupport testfixtures e2e cypress
  step_definitions t xt
`);
/** `test_utils`, `test-data`: the second word of a folder whose first one is test. */
const belongings = words("data util utils helper helpers support fixtures lib cases resources");
/** Files without their last ending. */
const names = words("test tests spec runtests testthat setuptests");
/** Of files that are nothing but tests or what these are compared with. */
const endings = words("t bats feature robot snap snapshot ambr phpt");
/** Nobody collects tests from it. */
const prose = words("md mdx markdown adoc rst");
const starts = ["test_", "test-", "test."];
const ends =
  "_test -test .test _tests .tests _unittest .test-d _spec .spec .e2e-spec .cy .e2e .steps".split(
    " ",
  );
/** Languages whose tests are told by small letters alone. */
const lowerCased = words("js jsx ts tsx cjs mjs cts mts py pyi go rb dart lua exs");
const withSpecs = words("groovy kt scala hs swift");
const camelEnds = /[a-z\d](?:Tests?|TestCase|Cest|IT|ITCase)$/;
const camelStart = /^Test(?:[A-Z]|$)/;
const camelFolder = /[a-z\d](?:Tests?|Specs?)$/;

/**
 * Whether test runners collect a file by its name or folder, or read it along with those: a check runs it then
 * though its command does not name it. In any letter case, but where only a capital letter tells the words apart.
 *
 * @param path relative to the workspace, with "/"
 */
export function isTestFile(path: string): boolean {
  const written = path.split("/");
  const folded = foldPath(path).split("/");
  const file = splitName(folded.at(-1) ?? "");
  if (prose.has(file.ending)) return false;
  if (endings.has(file.ending)) return true;
  const isInside = folded.slice(0, -1).some(
    (folder, nth) =>
      isTestFolder(folder) ||
      camelFolder.test(written[nth] ?? "") ||
      // Of behave.
      (folder === "steps" && folded[nth - 1] === "features"),
  );
  return isInside || hasTestName(file, splitName(written.at(-1) ?? "").stem);
}

function isTestFolder(folder: string): boolean {
  if (folders.has(folder)) return true;
  const parts = folder.split(/[-_.]/);
  if (parts.length < 2) return false;
  const last = parts.at(-1) ?? "";
  return last === "test" || last === "tests" || (parts[0] === "test" && belongings.has(last));
}

function hasTestName({ stem, ending }: FileName, written: string): boolean {
  if (names.has(stem) || starts.some((start) => stem.startsWith(start))) return true;
  if (ends.some((end) => stem.endsWith(end))) return true;
  // What `unittest` looks for.
  if (ending === "py" || ending === "pyi") return stem.startsWith("test");
  if (ending === "erl") return stem.endsWith("_suite");
  if (lowerCased.has(ending)) return false;
  return (
    camelEnds.test(written) ||
    camelStart.test(written) ||
    (withSpecs.has(ending) && /Spec$|Suite$/.test(written))
  );
}

interface FileName {
  /** Without the last ending. */
  stem: string;
  ending: string;
}

function splitName(name: string): FileName {
  const dot = name.lastIndexOf(".");
  return dot > 0
    ? { stem: name.slice(0, dot), ending: name.slice(dot + 1) }
    : { stem: name, ending: "" };
}
