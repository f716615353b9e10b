// Says yes or no to the whole tree: one line for each step, the output of those that fail, and the size of src/.
import { run } from "./run.ts";

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["format", "oxfmt", "--check"],
  ["lint", "oxlint"],
  ["types", "tsc", "-p", "tsconfig.json"],
  ["types without Node", "node", "scripts/check-core.ts"],
  ["script of the test page", "node", "scripts/check-page.ts"],
  ["dead code", "knip"],
  // Exports that only tests use; the number goes down only.
  ["exports for tests", "knip", "--production", "--max-issues", "54"],
  ["settings in docs", "node", "scripts/print-settings.ts", "--check"],
  ["commands in docs", "node", "scripts/print-commands.ts", "--check"],
  ["links in docs", "node", "scripts/check-links.ts"],
  ["layers", "node", "scripts/check-layers.ts"],
  ["budget", "node", "scripts/check-budget.ts"],
  ["worker size", "node", "scripts/check-size.ts"],
  // publint packs without running prepack.
  ["build", "node", "scripts/build.ts"],
  ["package", "publint", "run", "--pack", "npm", "--strict"],
];

/** Steps whose output is worth reading when they succeed, too. */
const shown = new Set(["budget"]);

let failures = 0;
for (const [name, command, ...args] of steps) {
  const start = performance.now();
  const { ok, text } = run(command, args);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (!ok || shown.has(name)) console.log(text.trimEnd().replaceAll(/^/gm, "     "));
  if (!ok) failures += 1;
}
console.log(
  failures === 0 ? "All checks passed." : `${failures} of ${steps.length} checks failed.`,
);
process.exitCode = failures === 0 ? 0 : 1;
