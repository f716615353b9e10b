import { expect, test } from "vitest";
import { run } from "../scripts/run.ts";

test("a request of explain takes as many calls of our own as src/budget.json allows", () => {
  const counted = run("node", ["scripts/count-calls.ts", "--check", "--json"]);
  expect(counted).toMatchObject({ ok: true, text: expect.stringContaining("plainTemplate") });
});
