// Which code a test file belongs to, and where the test of a file belongs, as paths tell it.
import type { EditTarget } from "../place/edit-target.ts";

const testName = /(?:^|\/)(?:test_[^/]+|[^/]+(?:[._-](?:test|tests|spec|specs)|Tests?|Spec))\.\w+$/;
const anyTestName =
  /(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|(?:Tests?|Spec|IT)\.\w+$|(?:^|\/)Test[A-Z]/;
const testFolder = /^(?:.*\/)?(?:tests?|specs?|__tests__)(?=\/)/;
const testFolderName = /^(?:tests?|specs?|__tests__)$/;
/** Folders that sort tests by their kind and mirror nothing. */
const testKind = /^(?:unit|integration|e2e|functional)$/;
const sourceFolder = /^(?:.*\/)?(?:src|lib|app|source)\//;
const sourceFolderName = /^(?:src|lib|app|source)$/;
/** Many folders of one project have a file of such a name. */
const commonName =
  /^(?:index|main|mod|lib|app|utils?|helpers?|common|constants|config|types|models?|views?|routes?|page|layout|init|__init__|__main__)$/i;
/** Languages whose frameworks find tests wherever they are: there the project's own way counts. */
const freeLanguages =
  /^(?:javascript|typescript|tsx|javascriptreact|typescriptreact|python|ruby|php)$/;

/** Whether the file is a test by its own name: one that can belong to a file of the code. */
export function isTestPath(path: string): boolean {
  return testName.test(slashed(path));
}

/** Whether a path looks like tests in any way: `src/cart.test.ts`, `CartIT.java`, `tests/cart.rs`, `test-guide.md`. */
export function isAmongTests(path: string): boolean {
  return anyTestName.test(slashed(path));
}

/**
 * How surely a test file is the one of the code: the greater, the surer; 0 where it is the test of something else.
 *
 * @param usual the path that the framework's convention gives; "" where it gives none
 */
export function rankTestPath(test: string, code: string, usual: string): number {
  const [testPath, codePath] = [slashed(test), slashed(code)];
  if (testedName(testPath) !== baseOf(codePath)) return 0;
  if (testPath === slashed(usual)) return 4;
  const [ofTest, ofCode] = [foldersOf(testPath), foldersOf(codePath)];
  const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(codePath);
  const isSame = (left: readonly string[], right: readonly string[]): boolean =>
    endsWith(left, right) && (left.length === right.length || (isAbsolute && right.length > 0));
  const beside = testFolderName.test(ofTest.at(-1) ?? "") ? ofTest.slice(0, -1) : ofTest;
  if (isSame(ofCode, ofTest) || isSame(ofCode, beside)) return 3;
  if (!ofTest.some((name) => testFolderName.test(name))) return 0;
  const mirrored = mirroredOf(ofTest);
  const sources = sourcesOf(ofCode, isAbsolute);
  if (sources.some((folders) => isSame(folders, mirrored))) return 2;
  const isNear = sources.some(
    (folders) => endsWith(folders, mirrored) || endsWith(mirrored, folders),
  );
  return isNear && !commonName.test(baseOf(codePath)) ? 1 : 0;
}

/** Where the test of a file belongs if it is named and placed like another one; "" where that is not free. */
export function pathLike(example: string, target: EditTarget): string {
  if (!freeLanguages.test(target.language)) return "";
  const separator = /[\\/]/.exec(example)?.[0] ?? /[\\/]/.exec(target.path)?.[0] ?? "/";
  const path = followPath(slashed(example), slashed(target.path));
  return separator === "\\" ? path.replaceAll("/", "\\") : path;
}

function followPath(test: string, path: string): string {
  const base = baseOf(path);
  const ending = path.slice(path.lastIndexOf("."));
  const named = test.slice(test.lastIndexOf("/") + 1);
  const affix = /([._-](?:test|tests|spec|specs)|Tests?|Spec)\.\w+$/.exec(named)?.[1];
  const name = affix === undefined ? `test_${base}${ending}` : `${base}${affix}${ending}`;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [root] = testFolder.exec(test) ?? [];
  if (root === undefined) return folder + name;
  if (root.endsWith("__tests__")) return `${folder}__tests__/${name}`;
  // Of tests without folders among them it is not known that they mirror the source, but names that many
  // folders have would meet there.
  const isFlat = test === `${root}/${named}` && !commonName.test(base);
  const inside = isFlat ? "" : folder.replace(sourceFolder, "");
  return `${root}/${inside}${name}`;
}

/** The folders of a test file without those that only say that it is a test. */
function mirroredOf(folders: readonly string[]): string[] {
  const at = folders.findLastIndex((name) => testFolderName.test(name));
  const before = folders.slice(0, at);
  // `src/test` is to `src/main` as `test` is to `src`.
  if (sourceFolderName.test(before.at(-1) ?? "")) before.pop();
  const inside = folders.slice(at + 1);
  if (testKind.test(inside[0] ?? "")) inside.shift();
  return [...before, ...inside];
}

/** The folders of code, with and without the one that holds the source. */
function sourcesOf(folders: readonly string[], isAbsolute: boolean): string[][] {
  const at = folders.findIndex((name) => sourceFolderName.test(name));
  if (at === -1) return [[...folders]];
  const inside = folders.slice(folders[at + 1] === "main" ? at + 2 : at + 1);
  const sources = [[...folders], [...folders.slice(0, at), ...inside]];
  return isAbsolute ? [...sources, inside] : sources;
}

function endsWith(folders: readonly string[], end: readonly string[]): boolean {
  const skipped = folders.length - end.length;
  return skipped >= 0 && end.every((name, index) => name === folders[skipped + index]);
}

function foldersOf(path: string): string[] {
  const folders = path.split("/").slice(0, -1);
  return folders.filter((name) => name !== "" && name !== ".");
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

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
