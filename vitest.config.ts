import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// Wrangler runs inside the `workers` project; tests neither report usage nor ask Cloudflare for
// the `cf` object.
process.env["WRANGLER_SEND_METRICS"] = "false";
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";

const workerTests = "test/worker/**/*.test.ts";
const serverTests = "test/e2e/**/*.test.ts";

export default defineConfig({
  test: {
    // One for each core of a small machine; by default one core is left idle.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: [workerTests, serverTests],
        },
      },
      {
        // The plugin adds Node's API for its own runner; that the product needs none is what
        // tsconfig.core.json and scripts/check-size.ts prove.
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        test: {
          name: "workers",
          // Cached modules lie on the disk, which workerd does not see.
          fsModuleCache: false,
          include: ["test/{auth,doors,run}/**/*.test.ts", workerTests],
        },
      },
      {
        // Real servers on port 0 of loopback, real processes.
        test: {
          name: "e2e",
          include: [serverTests],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
