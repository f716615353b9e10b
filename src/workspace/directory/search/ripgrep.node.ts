import { type ExecFileException, execFile } from "node:child_process";
import { promisify } from "node:util";
import { isKindOfFile } from "../../search/match-glob.ts";
import type { PreparedSearch } from "../../search/prepare-search.ts";

/** Of a file that is too large to be searched, in bytes: that it has a hit is told. */
export const maxLookedAt = 256 * 1024 * 1024;
/** Of what ripgrep prints, in bytes; then it is stopped. */
const maxOutput = 64 * 1024 * 1024;

/** Of an expression, a text that is worth looking for has so many characters. */
const leastText = 2;
/** Bytes that no text in UTF-8 has: where they are, the file is looked at by our own matcher. */
const invalidUtf8 = [
  "[\\xC0\\xC1\\xF5-\\xFF]",
  "[\\xC2-\\xF4](?:[^\\x80-\\xBF]|$)",
  "(?:^|[\\x00-\\x7F])[\\x80-\\xBF]",
  "[\\xC2-\\xDF][\\x80-\\xBF]{2}",
  "[\\xE0-\\xEF][\\x80-\\xBF](?:[^\\x80-\\xBF]|$|[\\x80-\\xBF]{2})",
  "[\\xF0-\\xF4][\\x80-\\xBF]{1,2}(?:[^\\x80-\\xBF]|$)",
  "\\xE0[\\x80-\\x9F]",
  "\\xED[\\xA0-\\xBF]",
].join("|");

export interface RipgrepOptions {
  /** The path of the program. */
  program: string;
  realRoot: string;
  /** It would take ignore files for something else than they are. */
  isReadOtherwise: boolean;
  /** Milliseconds. */
  maxTime: number;
  signal: AbortSignal;
}

/**
 * Runs ripgrep over a root, and asks for no more than names of files: it leaves each at its first hit, and the lines
 * are read by our own matcher, so that one rule says what is found.
 *
 * @returns the files with a line that fits, in no order, relative and with "/", and whether time or output came to
 *   their end before all were looked at; undefined if it does not take the pattern, or cannot be run
 * @throws the signal's reason
 */
export async function runRipgrep(
  search: PreparedSearch,
  { program, realRoot, isReadOtherwise, maxTime, signal }: RipgrepOptions,
): Promise<{ paths: string[]; isCut: boolean } | undefined> {
  const args = toArguments(search, isReadOtherwise);
  if (args === undefined) return undefined;
  const options = {
    cwd: realRoot,
    // It needs nothing of ours but what Windows starts programs with.
    env: { SystemRoot: process.env["SystemRoot"] },
    windowsHide: true,
    maxBuffer: maxOutput,
    timeout: maxTime,
    killSignal: "SIGKILL",
    signal,
  } as const;
  try {
    const { stdout } = await promisify(execFile)(program, args, options);
    return { paths: toPaths(stdout), isCut: false };
  } catch (thrown) {
    signal.throwIfAborted();
    // As Node describes a program that failed.
    const { code, killed, stdout } = thrown as ExecFileException;
    const isCut = killed === true || code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
    // 1 means no hit. 2 means a pattern that it does not take, or a file that it could not read.
    return isCut || code === 1 ? { paths: toPaths(stdout ?? ""), isCut } : undefined;
  }
}

/** An argument vector: no shell, no settings of the person's, no ignore files but those that we read as well. */
function toArguments(search: PreparedSearch, isReadOtherwise: boolean): string[] | undefined {
  const { pattern, isPlain, literal, isCaseSensitive, include } = search;
  const texts = isPlain || literal !== undefined ? [pattern] : findTexts(pattern);
  if (texts === undefined) return undefined;
  const isFixed = texts.every((text) => /^\p{ASCII}*$/u.test(text));
  const written = isFixed
    ? texts
    : texts.map((text) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`));
  return [
    "--no-config",
    "--files-with-matches",
    "--null",
    "--hidden",
    "--no-ignore-global",
    "--no-ignore-parent",
    "--no-ignore-dot",
    "--no-ignore-exclude",
    isReadOtherwise ? "--no-ignore-vcs" : "--no-require-git",
    "--no-messages",
    `--max-filesize=${maxLookedAt}`,
    "--glob=!.git",
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    // Text in an encoding of old is not what ripgrep looks at, unless the query is the same in all of them.
    ...(isFixed ? ["--fixed-strings"] : ["-e", `(?-u:${invalidUtf8})`]),
    ...typesOf(include),
    ...written.flatMap((text) => ["-e", text]),
    "--",
    "./",
  ];
}

/**
 * Patterns such as `*.ts` spare ripgrep all other files. They go as a file type: a glob pattern of its command line
 * would be stronger than ignore files.
 */
function typesOf(include: readonly string[]): string[] {
  if (include.length === 0 || !include.every(isKindOfFile)) return [];
  return [...include.map((glob) => `--type-add=wanted:${glob}`), "--type=wanted"];
}

/** After the last NUL there is a name that was cut. */
function toPaths(printed: string): string[] {
  const names = printed.split("\0").slice(0, -1);
  const slashed =
    process.platform === "win32" ? names.map((name) => name.replaceAll("\\", "/")) : names;
  return slashed.map((name) => (name.startsWith("./") ? name.slice(2) : name));
}

/** The path of ripgrep, where the optional package brought it along. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // The package is optional, and has no program for some systems.
    return undefined;
  }
}

/** A sign of an expression with all that belongs to it. */
const sign =
  // oxlint-disable-next-line regexp/no-super-linear-move -- Expressions are short, and RE2 takes none with an open bracket.
  /\\(?:x\{[\da-f]*\}|x[\da-f]{2}|p\{\^?\w+\}|[0-7]{1,3}|[^])|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/giu;

/**
 * Texts of which each line has one that an expression of RE2 fits: the longest of each of its alternatives.
 *
 * @returns undefined where that is not sure; then ripgrep is not asked
 */
function findTexts(pattern: string): string[] | undefined {
  // Flags, and a quoted stretch.
  if (/\(\?|\\[QE]/.test(pattern)) return undefined;
  const found: string[] = [];
  let [longest, text, depth] = ["", "", 0];
  const end = (): void => {
    if (text.length > longest.length) longest = text;
    text = "";
  };
  for (const [written] of `${pattern}|`.matchAll(sign)) {
    const meant = /^\\[^\w]$/.test(written) ? written.slice(1) : written;
    if (written === "(") depth += 1;
    else if (written === ")") depth -= 1;
    else if (depth === 0 && (meant !== written || /^[^\\^$.|?*+[\]{}]$/u.test(written))) {
      text += meant;
      continue;
    }
    // What comes before may be left out.
    if (depth === 0 && /^[?*{]/.test(written)) text = text.replace(/.$/su, "");
    end();
    if (written !== "|" || depth > 0) continue;
    if (longest.length < leastText) return undefined;
    found.push(longest);
    longest = "";
  }
  return found;
}
