import { mkdtempSync, writeFileSync } from "node:fs";
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
