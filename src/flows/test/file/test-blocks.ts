import {
  type TestedFile,
  isSamePath,
  listedPaths,
  pathAbove,
  pathInComment,
  pathInInfo,
  pathInText,
  placePath,
} from "./test-path.ts";
import { type JoinOptions, joinTests } from "./join-tests.ts";

/** The blocks that make a test file, in their order, each once, and its path. */
interface TestBlocks {
  name: string;
  texts: string[];
}

const maxBlocks = 10;
const commands =
  /^(?:sh|bash|shell|shellscript|zsh|fish|console|terminal|powershell|ps1|bat|cmd)$/i;
/** What is no code of tests, unless it has a path: commands, their output, settings, diffs. */
const others =
  /^(?:sh|bash|shell|shellscript|zsh|fish|console|terminal|powershell|ps1|bat|cmd|text|txt|plain|plaintext|output|log|json[c5]?|ya?ml|toml|ini|xml|properties|diff|patch|md|markdown|dockerfile|makefile)$/i;

/** Finds the blocks of tests of an answer and the path of their file; undefined where either is not clear. */
function findTestBlocks(answer: string, tested: TestedFile): TestBlocks | undefined {
  const { blocks, around } = splitAnswer(answer);
  if (blocks.length > maxBlocks || blocks.some(({ isClosed }) => !isClosed)) return undefined;
  const listed = new Set(listedPaths(around.flat()));
  const named = blocks.map((block, nth) => nameBlock(block, around[nth] ?? [], tested));
  const meant = named.filter(({ block, path }) => isOfTests(block, path, tested));
  if (listed.size > 1) return undefined;
  const paths = [...new Set(meant.flatMap(({ path }) => path ?? []))];
  if (meant.length === 0 || paths.length > 1) return undefined;
  const name = paths[0] ?? pathOf(around, tested);
  if (name === undefined) return undefined;
  return {
    name: placeAsUsual(name, tested),
    texts: [...new Set(meant.map(({ block }) => block.text))],
  };
}

interface NamedBlock {
  block: AnswerBlock;
  path: string | undefined;
}

function nameBlock(block: AnswerBlock, above: readonly string[], tested: TestedFile): NamedBlock {
  const found = [pathAbove(above), pathInInfo(block.info), pathInComment(block.text)];
  const isUnderTest = found.some((path) => path !== undefined && isSamePath(path, tested.path));
  const path = found.find((one) => one !== undefined && !isSamePath(one, tested.path));
  // A comment in the tests may name the code that they test.
  return { block, path: path ?? (isUnderTest && isCopy(block, tested) ? tested.path : undefined) };
}

function isOfTests(block: AnswerBlock, path: string | undefined, tested: TestedFile): boolean {
  const [word = ""] = block.info.split(/[\s:{]/, 1);
  const isOther = others.test(word) && (path === undefined || commands.test(word));
  return block.text !== "" && path !== tested.path && !isOther && !isCopy(block, tested);
}

/** The code under test, shown again. */
function isCopy({ text }: AnswerBlock, tested: TestedFile): boolean {
  return tested.text.includes(text.trim());
}

function pathOf(around: readonly (readonly string[])[], tested: TestedFile): string | undefined {
  return pathInText(around.flat(), tested) ?? (tested.testPath || undefined);
}

function placeAsUsual(name: string, tested: TestedFile): string {
  return isSamePath(name, tested.testPath) && !name.includes("/")
    ? tested.testPath
    : placePath(name, tested);
}

/** A fenced block of an answer. */
interface AnswerBlock {
  /** What stands behind the opening fence. */
  info: string;
  /** Whole lines, ended by "\n"; without blank lines at its end. */
  text: string;
  isClosed: boolean;
}

interface AnswerParts {
  blocks: AnswerBlock[];
  /** The lines around the blocks: one list more than there are blocks. */
  around: string[][];
}

const opening = /^ {0,3}(?<rule>`{3,}(?!`)|~{3,}(?!~))(?<info>.*)$/;

/** Takes an answer apart into its fenced blocks and the lines around them. */
function splitAnswer(answer: string): AnswerParts {
  const blocks: AnswerBlock[] = [];
  const around: string[][] = [[]];
  let open: { rule: string; info: string; lines: string[] } | undefined;
  for (const line of answer.split(/\r?\n/)) {
    const { rule = "", info = "" } = opening.exec(line)?.groups ?? {};
    if (open === undefined) {
      if (rule === "" || (rule.startsWith("`") && info.includes("`"))) around.at(-1)?.push(line);
      else open = { rule, info: info.trim(), lines: [] };
    } else if (rule.startsWith(open.rule)) {
      // A fence that opens in an open block says that the end of that one is missing.
      blocks.push(toBlock(open, info.trim() === ""));
      around.push([]);
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) {
    blocks.push(toBlock(open, false));
    around.push([]);
  }
  return { blocks, around };
}

function toBlock(
  { info, lines }: { info: string; lines: string[] },
  isClosed: boolean,
): AnswerBlock {
  const text = lines.join("\n").trimEnd();
  return { info, text: text === "" ? "" : `${text}\n`, isClosed };
}

/** A file of tests, as a model has written it. */
interface TestFile {
  name: string;
  /** Ends with one line end. */
  text: string;
}

const unknown: TestedFile = { path: "", text: "", testPath: "" };

/**
 * The test file that an answer holds in its one block of code, beside which commands and settings may stand.
 * Its path is the one on the line above, in the fence, in the first line of the code, or in a sentence; else the
 * one of the project's convention.
 *
 * @returns undefined where the block or the path is not clear
 */
export function readTestFile(answer: string, tested: TestedFile = unknown): TestFile | undefined {
  const found = findTestBlocks(answer, tested);
  const [text, ...further] = found?.texts ?? [];
  if (found === undefined || text === undefined || further.length > 0) return undefined;
  return { name: found.name, text };
}

/** As {@link readTestFile}; also of several blocks that together are one file. */
export async function readTests(
  answer: string,
  tested: TestedFile,
  options: JoinOptions,
): Promise<TestFile | undefined> {
  const found = findTestBlocks(answer, tested);
  if (found === undefined) return undefined;
  const { name, texts } = found;
  const text = texts.length > 1 ? await joinTests(texts, options) : texts[0];
  return text === undefined ? undefined : { name, text };
}
