// Bundles the worker as a deploy would, and looks at what came out: its size, that nothing of
// Node is in it, and that the prompts are.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadPromptFiles } from "../src/setup/load-prompt-files.node.ts";
import { runOrExit } from "./run.ts";

/** Our own code and its libraries, in bytes. */
const largest = 682_000;
/** Grammars and their runtime; the smallest plan of Workers takes 3 MB in all. */
const largestGrammars = 2_500_000;
/** In the texts of test files that we write for people, and of a message of the package for MCP. */
const neverTaken = new Set([
  "ava",
  "minitest/autorun",
  "node:assert/strict",
  "node:test",
  "spec_helper",
  "testing",
  "vitest",
  "zod/v4",
]);

const { files, grammars } = bundle();
const size = files.reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
const problems = [
  ...findOversize("worker", size, largest),
  ...findOversize("grammars", grammars, largestGrammars),
  ...findForeignImports(files),
  ...findMissingPrompts(files),
];
for (const problem of problems) console.error(problem);
console.log(
  `worker: ${(size / 1000).toFixed(1)} kB gzipped of ${largest / 1000} kB, ` +
    `grammars: ${(grammars / 1000).toFixed(0)} kB of ${largestGrammars / 1000} kB`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The text of every file that would be uploaded, and what the compiled ones weigh (gzipped). */
function bundle(): { files: string[]; grammars: number } {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-worker-"));
  try {
    runOrExit("wrangler", ["deploy", "--dry-run", "--minify", "--outdir", folder]);
    const read = (pattern: string): Buffer[] =>
      globSync(pattern, { cwd: folder }).map((name) => readFileSync(join(folder, name)));
    return {
      files: read("*.{js,txt,html}").map((bytes) => bytes.toString("utf8")),
      grammars: read("*.wasm").reduce((sum, bytes) => sum + gzipSync(bytes).byteLength, 0),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findOversize(what: string, bytes: number, most: number): string[] {
  if (bytes === 0) return [`There is no ${what} to weigh.`];
  return bytes > most ? [`The ${what} weighs more than ${most} bytes: ${bytes}.`] : [];
}

/** A bundle imports its own text modules and what the Workers runtime has, nothing else. */
function findForeignImports(texts: readonly string[]): string[] {
  const specifiers = texts.flatMap((text) => [
    ...[...text.matchAll(/\b(?:from|import|require)\s*(?:\(\s*)?["'`]([\w@./:+-]+)["'`]/g)].map(
      (match) => match[1] ?? "",
    ),
    ...[...text.matchAll(/["'`](node:[a-z_/]+)["'`]/g)].map((match) => match[1] ?? ""),
  ]);
  return [...new Set(specifiers)]
    .filter((specifier) => !specifier.startsWith("./") && !specifier.startsWith("cloudflare:"))
    .filter((specifier) => !neverTaken.has(specifier))
    .map((specifier) => `The worker imports ${specifier}.`);
}

/** An empty bundle is small and imports nothing, too. */
function findMissingPrompts(texts: readonly string[]): string[] {
  const prompts = Object.entries(loadPromptFiles());
  if (prompts.length === 0) return ["There are no prompts to look for."];
  const bundled = texts.join("\n");
  return prompts
    .filter(([, text]) => !bundled.includes(JSON.stringify(text)))
    .map(([name]) => `The worker does not contain the prompt ${name}.`);
}
