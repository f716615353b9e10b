import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { languageOf } from "../../../turn/context/language.ts";
import type { PackageFiles } from "../../../turn/context/package-files.ts";
import { findTestFramework } from "../../../flows/test/test-framework.ts";
import { isTestPath, rankTestPath } from "../../../flows/test/test-path.ts";
import { findWorkTree } from "../../../workspace/directory/folder-rules.node.ts";
import { listProjectFiles } from "../../ws/ide/list-project-files.ts";
import { readFileInside } from "./read-file-inside.ts";

/** Commands that write tests, or recommend them. */
const commands = ["unittest", "unittest-write"];
/** In bytes; a longer test file is not sent. */
const maxTests = 40_000;

/** The tests of a file that are there already, as the project's conventions name and place them; undefined if none are. */
export async function readTests(
  directory: string,
  command: string,
  file: string | undefined,
  packageFiles: PackageFiles,
): Promise<{ filePath: string; content: string } | undefined> {
  if (file === undefined || !commands.includes(command)) return undefined;
  const folder = realpathSync(directory);
  const root = (await findWorkTree(folder)) ?? folder;
  const code = toSlashes(relative(root, realpathSync(resolve(directory, file))));
  if (code.startsWith("../")) return undefined;
  const usual = findTestFramework(languageOf(file), packageFiles)?.testPath(code, packageFiles);
  const found = (await listProjectFiles(root))
    .filter((path) => path !== code && isTestPath(path) && isAlike(path, code))
    .map((path) => ({ path, rank: rankTestPath(path, code, usual ?? "") }))
    .filter(({ rank }) => rank > 0)
    .sort((left, right) => right.rank - left.rank);
  for (const { path } of found) {
    const tests = await readFileInside(root, path, maxTests);
    if (!tests.ok || tests.isSecret) continue;
    return {
      filePath: toSlashes(relative(folder, tests.path)),
      content: tests.content,
    };
  }
  return undefined;
}

/** `a.test.ts` may test `a.js`. */
function isAlike(test: string, code: string): boolean {
  const [left, right] = [test, code].map((path) =>
    languageOf(path).replace(/^(?:javascript|typescript|tsx|jsx).*/, "script"),
  );
  return left === right;
}

function toSlashes(path: string): string {
  return path.split(sep).join("/");
}
