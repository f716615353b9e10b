import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { listPrompts } from "./scripts/list-prompts.ts";
import { countSteps } from "./test/steps/count-steps.ts";

// Wrangler runs inside the `workers` project; tests neither report usage nor ask Cloudflare for
// the `cf` object.
process.env["WRANGLER_SEND_METRICS"] = "false";
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";

listPrompts();

const workerTests = "test/worker/**/*.test.ts";
const serverTests = "test/e2e/**/*.test.ts";
const slowTests = "test/**/*.slow.test.ts";
const countedTests = "test/**/*.steps.test.ts";
const runtimeTests = "test/runtimes/**/*.test.ts";
const otherTests = [workerTests, serverTests, slowTests, countedTests, runtimeTests];
/** The log is one for a process, and a turn that another file has left may still write to it. */
const loggedTests = [...filesWith("@logtape/logtape"), ...filesWith("helpers/e2e-log.ts")];
/** How many cases these generate is told by `cases`. */
const generatedTests = filesWith("helpers/cases.ts");

function filesWith(text: string): string[] {
  return globSync("test/**/*.test.ts").filter((path) => readFileSync(path, "utf8").includes(text));
}

// A test fails because it is stuck, never because the machine is slow. Random cases are the same in every
// run, unless PROPERTY_SEED says otherwise.
const patience = {
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};
const setupFiles = ["test/helpers/fix-seed.ts"];
const restore = "test/helpers/restore.ts";

export default defineConfig({
  test: {
    // One for each core of a small machine; by default one core is left idle.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...patience,
          setupFiles: [...setupFiles, restore],
          // Files share a process and its modules, which halves the time; each leaves them as it found them.
          isolate: false,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: [...loggedTests, ...otherTests],
        },
      },
      {
        test: {
          ...patience,
          setupFiles: [...setupFiles, restore],
          name: "log",
          include: loggedTests,
          exclude: otherTests,
        },
      },
      {
        // The plugin adds Node's API for its own runner; that the product needs none is what
        // tsconfig.core.json and scripts/check-size.ts prove.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                RIGHTSEAT_PLUGIN_KEYS: "plain-key-1,plain-key-2,simpletest2025_*",
                RIGHTSEAT_MAX_TASKS: "2",
                RIGHTSEAT_MAX_QUEUE: "3",
                RIGHTSEAT_STATE_KEYS: `test:${btoa("k".repeat(32))}`,
              },
            },
          }),
        ],
        test: {
          ...patience,
          setupFiles,
          name: "workers",
          // Cached modules lie on the disk, which workerd does not see.
          fsModuleCache: false,
          include: ["test/{auth,doors,run}/**/*.test.ts", workerTests],
          exclude: [slowTests],
        },
      },
      {
        // Loops and functions of src/ count their steps.
        plugins: [countSteps()],
        test: {
          ...patience,
          setupFiles,
          name: "steps",
          include: [countedTests],
        },
      },
      {
        plugins: [countSteps()],
        test: {
          ...patience,
          setupFiles,
          testTimeout: 600_000,
          name: "all-steps",
          include: [countedTests],
          env: { HOSTILE_TEXTS: "200000" },
        },
      },
      {
        // Inputs of many megabytes, and every one of many cases.
        test: {
          ...patience,
          setupFiles,
          name: "slow",
          include: [slowTests],
        },
      },
      {
        test: {
          ...patience,
          setupFiles,
          testTimeout: 600_000,
          name: "more-cases",
          include: generatedTests,
          env: { MORE_CASES: "10" },
        },
      },
      {
        // Real servers on port 0 of loopback, real processes.
        test: {
          ...patience,
          setupFiles,
          name: "e2e",
          include: [serverTests],
        },
      },
      {
        // The packed product in other runtimes, which come from npm.
        test: {
          ...patience,
          setupFiles,
          name: "runtimes",
          include: [runtimeTests],
        },
      },
    ],
  },
});
