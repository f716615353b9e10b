import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/start-server.node.ts";

test("a start that fails ends the threads that it has begun", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-agents-"));
  const openSpecList = [{ protocol: "openapi", openSpec: "shop.yaml" }];
  writeFileSync(join(folder, "mine.json"), JSON.stringify({ name: "mine", openSpecList }));
  const long = `# ${"x".repeat(200_000)}`;
  const spec = `openapi: 3.0.0\nservers: [{url: https://a.test}]\npaths: {}\n${long}\n`;
  writeFileSync(join(folder, "shop.yaml"), spec);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const ended: Promise<unknown>[] = [];
  const take = (thread: Worker): void => void ended.push(once(thread, "exit"));
  process.on("worker", take);
  onTestFinished(() => void process.off("worker", take));
  const environment = {
    RIGHTSEAT_PORT: String((other.address() as AddressInfo).port),
    RIGHTSEAT_AGENTS: folder,
  };
  await expect(startServer({ environment })).rejects.toThrow("EADDRINUSE");
  expect(ended).toHaveLength(1);
  await Promise.all(ended);
});

test.each([
  ["RIGHTSEAT_AGENTS", "/no/such/folder"],
  ["RIGHTSEAT_KNOWLEDGE", "/no/such/folder"],
  ["RIGHTSEAT_MCP_SERVERS", '{"shop":{}}'],
])("a start that %s makes fail leaves no store open", async (name, value) => {
  const path = join(mkdtempSync(join(tmpdir(), "rightseat-store-")), "store.db");
  const environment = { RIGHTSEAT_STORE: `sqlite:${path}`, [name]: value };
  await expect(startServer({ environment })).rejects.toThrow();
  // SQLite takes its log away when the last connection is closed.
  expect(existsSync(`${path}-wal`)).toBe(false);
});
