import { describe, expect, test } from "vitest";
import { createKeyRing, findKeyProblem } from "../../../src/run/auth/api-keys.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";

describe("a ring of keys", () => {
  test("knows plain keys, hashes of keys, and keys of families, each by an id of its own", async () => {
    const hash = hashOf("hashed-key");
    const ring = createKeyRing(["plain-key", `sha256:${hash.toUpperCase()}`, "simpletest2025_*"]);
    const ids = await Promise.all(
      [
        "plain-key",
        "hashed-key",
        "simpletest2025_001",
        "simpletest2025_002",
        "simpletest2025_",
      ].map((key) => ring.find(key)),
    );
    expect(new Set(ids).size).toBe(5);
    expect(ids).not.toContain(undefined);
    expect(await ring.find("simpletest2025_001")).toBe(ids[2]);
  });

  test.each([
    "",
    ..."plain plain-keys simpletest2025 Simpletest2025_001 sha256: *".split(" "),
    "simpletest2025_*x".slice(0, 14),
  ])("does not know %j", async (key) => {
    const ring = createKeyRing(["plain-key", "simpletest2025_*"]);
    expect(await ring.find(key)).toBeUndefined();
  });

  test("does not take a hash for the key", async () => {
    const hash = hashOf("hashed-key");
    const ring = createKeyRing([`sha256:${hash}`]);
    expect(await ring.find(hash)).toBeUndefined();
    expect(await ring.find(`sha256:${hash}`)).toBeUndefined();
  });

  test("counts a key that is listed itself apart from its family", async () => {
    const ring = createKeyRing(["simpletest2025_*", "simpletest2025_mine"]);
    const [family, own] = [
      await ring.find("simpletest2025_a"),
      await ring.find("simpletest2025_mine"),
    ];
    expect(own).not.toBe(family);
  });
});

test.each([
  ["short*", /12 characters/],
  ["*", /12 characters/],
  ["a*b-long-enough-key", /end only/],
  ["sha256:12", /64 hexadecimal/],
  [`sha256:${"g".repeat(64)}`, /64 hexadecimal/],
])("%s is no entry of a ring", (entry, problem) => {
  expect(findKeyProblem(entry)).toMatch(problem);
});
