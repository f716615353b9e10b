import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { spawnNode } from "../helpers/e2e-process.ts";

const fileAt = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What the numbers are depends on the prompts. */
const withoutTokens = (text: string): string => text.replaceAll(/[\d,]+ tokens/g, "N tokens");

test("the demo runs, and the README shows what it prints of the coding agent", async () => {
  await using demo = spawnNode([fileAt("scripts/demo.ts")], {});
  expect(await demo.exited).toBe(0);
  const readme = readFileSync(fileAt("README.md"), "utf8");
  const start = readme.indexOf("$ rightseat code 'Bookings");
  const screen = readme.slice(start, readme.indexOf("```", start)).trim().split("\n");
  expect(screen.length).toBeGreaterThan(30);
  const printed = new Set(withoutTokens(demo.printed).split("\n"));
  const missing = screen.filter((line) => !printed.has(withoutTokens(line)));
  expect(missing).toEqual([]);
  expect(demo.printed).toContain("The check `node test/booking.spec.ts` passed.");
});
