// A server of ours with servers of MCP.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startRightseat } from "../helpers/e2e-server.ts";

const script = fileURLToPath(new URL("../fixtures/mcp/server.mjs", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeConfig(config: unknown): string {
  const path = join(folder, "mcp.json");
  writeFileSync(path, JSON.stringify(config));
  return path;
}

test("a command of the file starts when a session names it, and ends with the server", async () => {
  const env = { PID_FILE: "${FOLDER}/pid" };
  const shop = { command: process.execPath, args: [script, "--helper"], env };
  const file = writeConfig({ mcpServers: { shop } });
  const server = await startRightseat({ RIGHTSEAT_MCP_SERVERS: file, FOLDER: folder });
  const init = async (mcpServers: readonly string[]): Promise<number> => {
    const response = await fetch(`${server.url}/api/init`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ mcpServers }),
    });
    await response.text();
    return response.status;
  };
  const readPid = (): number => Number(readFileSync(join(folder, "pid"), "utf8"));
  expect(await init([])).toBe(200);
  expect(readPid).toThrow("ENOENT");
  expect(await init(["shop"])).toBe(200);
  const pid = readPid();
  expect(process.kill(pid, 0)).toBe(true);
  // One for all sessions.
  expect(await init(["shop"])).toBe(200);
  expect(readPid()).toBe(pid);
  await server.close();
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
});

test.each([
  [
    { shop: { command: "${NOBODY}" } },
    "RIGHTSEAT_MCP_SERVERS: mcpServers.shop.command names the variable NOBODY",
  ],
  [{ shop: {} }, "RIGHTSEAT_MCP_SERVERS: mcpServers.shop needs a command or a url"],
])("%j stops the start", async (config, text) => {
  const starting = startRightseat({ RIGHTSEAT_MCP_SERVERS: writeConfig(config) });
  await expect(starting).rejects.toThrow(text);
});
