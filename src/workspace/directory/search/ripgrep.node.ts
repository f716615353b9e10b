import { spawn } from "node:child_process";
import * as z from "zod";
import { maxSearchedFile, type PreparedSearch } from "../../search/prepare-search.ts";
import { toRustPattern } from "../../search/to-rust-pattern.ts";

/** Of what ripgrep prints, in bytes; then it is stopped. */
const maxOutput = 128 * 1024 * 1024;
const lineFeed = 10;

const Text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
/** What ripgrep prints with `--json`, as far as we look at it (grep-printer, JSON output). */
const Printed = z.union([
  z.object({ type: z.literal("begin"), data: z.object({ path: Text }) }),
  z.object({
    type: z.literal("match"),
    data: z.object({ lines: Text, line_number: z.int() }),
  }),
  z.object({ type: z.literal("end"), data: z.object({ binary_offset: z.int().nullable() }) }),
  z.object({ type: z.literal("summary") }),
]);

/** Lines of one file that fit; files come in any order. */
export interface RipgrepFile {
  /** Relative to the root, with "/". */
  path: string;
  lines: { number: number; text: string }[];
}

export interface RipgrepOptions {
  /** The path of the program. */
  program: string;
  realRoot: string;
  /** Milliseconds. */
  maxTime: number;
  signal: AbortSignal;
  /** Whether the lines of a file are worth reading. */
  isWanted: (path: string) => boolean;
}

/** `done`: all was searched. `cut`: time or output came to their end. `failed`: it did not search at all. */
export type RipgrepEnd = "done" | "cut" | "failed";

/**
 * Runs ripgrep over a root and yields what it finds. It is stopped when nobody wants more.
 *
 * @throws the signal's reason
 */
export async function* runRipgrep(
  search: PreparedSearch,
  { program, realRoot, maxTime, signal, isWanted }: RipgrepOptions,
): AsyncGenerator<RipgrepFile, RipgrepEnd, void> {
  const args = toArguments(search);
  if (args === undefined) return "failed";
  const child = spawn(program, args, {
    cwd: realRoot,
    env: { SystemRoot: process.env["SystemRoot"] },
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  let isCut = false;
  const stop = (): void => void child.kill("SIGKILL");
  const timer = setTimeout(() => {
    isCut = true;
    stop();
  }, maxTime);
  signal.addEventListener("abort", stop, { once: true });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  let isWhole = false;
  try {
    let open: RipgrepFile | undefined;
    let size = 0;
    for await (const line of readLines(child.stdout)) {
      signal.throwIfAborted();
      size += line.length;
      if (size > maxOutput) {
        isCut = true;
        break;
      }
      // Most lines may be of files that are not wanted: they are not even read.
      if (open === undefined && isMatch(line)) continue;
      const printed = parseLine(line);
      if (printed?.type === "begin") {
        const path = toPath(decode(printed.data.path));
        open = isWanted(path) ? { path, lines: [] } : undefined;
      } else if (printed?.type === "match") {
        const text = withoutEnd(decode(printed.data.lines));
        open?.lines.push({ number: printed.data.line_number, text });
      } else if (printed?.type === "end") {
        if (open !== undefined && printed.data.binary_offset === null) yield open;
        open = undefined;
      } else if (printed?.type === "summary") isWhole = true;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stop();
    await ended;
  }
  signal.throwIfAborted();
  if (isCut) return "cut";
  return isWhole ? "done" : "failed";
}

/** An argument vector: no shell, no settings of the person's, no ignore files but those that we read as well. */
function toArguments({
  pattern,
  isPlain,
  literal,
  isCaseSensitive,
  include,
  maxHits,
}: PreparedSearch): string[] | undefined {
  const isFixed = isPlain || literal !== undefined;
  const expression = isFixed ? pattern : toRustPattern(pattern);
  if (expression === undefined) return undefined;
  return [
    "--no-config",
    "--json",
    "--hidden",
    "--no-ignore-global",
    "--no-ignore-parent",
    "--no-ignore-dot",
    "--no-ignore-exclude",
    "--no-require-git",
    "--no-messages",
    "--crlf",
    `--max-filesize=${maxSearchedFile}`,
    `--max-count=${maxHits + 1}`,
    "--glob=!.git",
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(isFixed ? ["--fixed-strings"] : []),
    ...typesOf(include),
    "-e",
    expression,
    "--",
    "./",
  ];
}

/**
 * Patterns such as `*.ts` spare ripgrep all other files. They go as a file type: a glob pattern of its command line
 * would be stronger than ignore files.
 */
function typesOf(include: readonly string[]): string[] {
  if (include.length === 0 || !include.every((glob) => /^\*\.[a-z0-9]+$/i.test(glob))) return [];
  return [...include.map((glob) => `--type-add=wanted:${glob}`), "--type=wanted"];
}

function isMatch(line: Buffer): boolean {
  return line.length > 9 && line[9] === 0x6d;
}

function parseLine(line: Buffer): z.infer<typeof Printed> | undefined {
  try {
    return Printed.safeParse(JSON.parse(line.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Bytes that are not UTF-8 come in base64. */
function decode(text: z.infer<typeof Text>): string {
  return "text" in text ? text.text : Buffer.from(text.bytes, "base64").toString("utf8");
}

function toPath(printed: string): string {
  return printed.replaceAll("\\", process.platform === "win32" ? "/" : "\\").replace(/^\.\//, "");
}

function withoutEnd(line: string): string {
  const text = line.endsWith("\n") ? line.slice(0, -1) : line;
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      pieces.push(chunk.subarray(from, at));
      yield pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
      pieces = [];
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
}
