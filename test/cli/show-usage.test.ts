import { defineCommand } from "citty";
import { expect, onTestFinished, test, vi } from "vitest";
import { showUsage } from "../../src/cli/show-usage.ts";

test("a help page carries no colours where standard output is no terminal", async () => {
  const before = process.stdout.isTTY;
  process.stdout.isTTY = false;
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    process.stdout.isTTY = before;
  });
  await showUsage(defineCommand({ meta: { name: "rightseat", description: "\u001b[1mbold" } }));
  const page = write.mock.calls.map(([text]) => String(text)).join("");
  expect(page).toContain("bold");
  expect(page).not.toContain("\u001b");
});
