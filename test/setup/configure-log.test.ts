import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getLogger, reset } from "@logtape/logtape";
import { expect, onTestFinished, test } from "vitest";
import { configureLog } from "../../src/setup/configure-log.node.ts";

test("a log file begins anew when it is long, and a few old ones are kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-log-"));
  onTestFinished(async () => {
    await reset();
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, "log", "agent.log");
  await configureLog({ logLevel: "info" }, path);
  const log = getLogger(["rightseat", "test"]);
  const text = "x".repeat(1024 * 1024);
  // Seventy megabytes: the first ten are gone.
  for (let nth = 0; nth < 70; nth += 1) log.info(`${nth} ${text}`);
  const names = readdirSync(join(folder, "log")).toSorted();
  expect(names).toEqual(["agent.log", ...[1, 2, 3, 4, 5].map((nth) => `agent.log.${nth}`)]);
  const first = (name: string): number => {
    const [line = ""] = readFileSync(join(folder, "log", name), "utf8").split("\n");
    const { message } = JSON.parse(line) as { message: string };
    return Number(message.split(" ")[0]);
  };
  const starts = names.toReversed().map(first);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  await configureLog({ logLevel: "info" }, path);
  log.info("once more");
  expect(readFileSync(path, "utf8").trimEnd().split("\n").at(-1)).toContain("once more");
});
