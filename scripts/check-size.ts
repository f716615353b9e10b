// Bundles the worker as a deploy would, and looks at what came out: its size, that nothing of
// Node is in it, and that the prompts are.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root, runOrExit } from "./run.ts";

const largest = 300_000;

const files = bundle();
const size = files.reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
const problems = [
  ...findOversize(size),
  ...findForeignImports(files),
  ...findMissingPrompts(files),
];
for (const problem of problems) console.error(problem);
console.log(`worker: ${(size / 1000).toFixed(1)} kB gzipped of ${largest / 1000} kB`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The text of every file that would be uploaded. */
function bundle(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-worker-"));
  try {
    runOrExit("wrangler", ["deploy", "--dry-run", "--minify", "--outdir", folder]);
    return globSync("*.{js,liquid}", { cwd: folder }).map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findOversize(bytes: number): string[] {
  return bytes > largest ? [`The worker is larger than ${largest} bytes: ${bytes}.`] : [];
}

/** A bundle imports its own text modules and what the Workers runtime has, nothing else. */
function findForeignImports(texts: readonly string[]): string[] {
  const specifiers = texts.flatMap((text) => [
    ...[...text.matchAll(/\b(?:from|import|require)\s*\(?\s*["'`]([^"'`\s]+)["'`]/g)].map(
      (match) => match[1] ?? "",
    ),
    ...[...text.matchAll(/["'`](node:[a-z_/]+)["'`]/g)].map((match) => match[1] ?? ""),
  ]);
  return [...new Set(specifiers)]
    .filter((specifier) => !specifier.startsWith("./") && !specifier.startsWith("cloudflare:"))
    .map((specifier) => `The worker imports ${specifier}.`);
}

/** An empty bundle is small and imports nothing, too. */
function findMissingPrompts(texts: readonly string[]): string[] {
  const prompts = globSync("src/prompt/builtin/*/*.liquid", { cwd: root });
  if (prompts.length === 0) return ["There are no prompts to look for."];
  return prompts
    .filter((path) => !texts.includes(readFileSync(join(root, path), "utf8")))
    .map((path) => `The worker does not contain ${path}.`);
}
