import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../../src/start-server.node.ts";

test("a broken template stops the start, and the error names file, agent and command", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-agents-"));
  const start = async (agent: object) => {
    writeFileSync(join(folder, "mine.json"), JSON.stringify(agent));
    const server = await startServer({
      environment: { RIGHTSEAT_PORT: "0", RIGHTSEAT_AGENTS: folder },
    });
    await server.close();
  };
  const messageTemplates = [{ role: "user", template: "{{ a" }];
  const inCommand = { name: "mine", commands: [{ name: "review", messageTemplates }] };
  await expect(start(inCommand)).rejects.toThrow(
    /mine\.json: Agent "mine": Template 0 of command "review" is broken at line 1, column 1/,
  );
  await expect(start({ name: "mine", messageTemplates })).rejects.toThrow(
    /mine\.json: Agent "mine": Template 0 .* line 1, column 1/,
  );
  await expect(start({ name: "mine" })).resolves.toBeUndefined();
});

test("descriptions come from files beside the definition, and what is wrong with them stops the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-agents-"));
  const entry = { protocol: "openapi", openSpec: "specs/shop.yaml" };
  const mine = { name: "mine", openSpecList: [entry] };
  writeFileSync(join(folder, "mine.json"), JSON.stringify(mine));
  const environment = { RIGHTSEAT_PORT: "0", RIGHTSEAT_AGENTS: folder };
  const start = async (): Promise<void> => (await startServer({ environment })).close();
  await expect(start()).rejects.toThrow(
    /mine\.json: the description specs\/shop\.yaml cannot be read/,
  );
  mkdirSync(join(folder, "specs"));
  const write = (text: string): void => writeFileSync(join(folder, "specs", "shop.yaml"), text);
  write("openapi: 3.0.0\npaths: {/orders: {get: {}}}\n");
  await expect(start()).rejects.toThrow(
    /mine\.openSpecList\[0\]\.openSpec\.servers names no server/,
  );
  // Longer than the descriptions of clients may be.
  write(
    `openapi: 3.0.0\nservers: [{url: https://a.test}]\npaths: {}\n# ${"x".repeat(2_000_000)}\n`,
  );
  await expect(start()).resolves.toBeUndefined();
});
