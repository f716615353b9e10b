import { expect, test, vi } from "vitest";
import {
  createStateSeal,
  hashText,
  parseStateKey,
  randomStateKey,
} from "../../../src/turn/state/sealed-state.ts";

const binding = { agent: "helper", user: "u-1", subject: "", version: "1.0.0" };
const content = { asked: { command: "fix", prompt: "Show 全部" }, fileHash: "ab" };

function seals(lifetime = 1_000) {
  let time = 1_000_000;
  const keys = [randomStateKey()];
  return {
    seal: createStateSeal({ keys, now: () => time, lifetime }),
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test("what is sealed comes back, and cannot be read in the state", async () => {
  const { seal } = seals();
  const state = (await seal.seal(content, binding)) ?? "";
  expect(state).toMatch(/^v1\.random\.[\w-]+$/);
  expect(await seal.open(state, binding)).toEqual(content);
  expect(atob(state.slice(10).replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("fix");
});

test("two states of the same content differ", async () => {
  const { seal } = seals();
  expect(await seal.seal(content, binding)).not.toBe(await seal.seal(content, binding));
});

test.each([
  ["agent", { ...binding, agent: "other" }],
  ["user", { ...binding, user: "u-2" }],
  ["subject of the token", { ...binding, subject: "s-2" }],
  ["version", { ...binding, version: "1.0.1" }],
])("a state does not open for another %s", async (_, other) => {
  const { seal } = seals();
  const state = await seal.seal(content, binding);
  await expect(seal.open(state, other)).rejects.toMatchObject({ code: "state_invalid" });
});

test("a state with any character changed does not open", async () => {
  const { seal } = seals();
  const state = (await seal.seal(content, binding)) ?? "";
  for (let at = 0; at < state.length - 1; at += 7) {
    const changed = state.slice(0, at) + (state[at] === "A" ? "B" : "A") + state.slice(at + 1);
    await expect(seal.open(changed, binding)).rejects.toMatchObject({ code: "state_invalid" });
  }
});

test.each([
  undefined,
  null,
  7,
  {},
  "",
  "v1",
  "v1.random.",
  "v2.random.AAAA",
  "v1.random.AAAA.BBBB",
])("%j is no state", async (state) => {
  await expect(seals().seal.open(state, binding)).rejects.toMatchObject({ code: "state_invalid" });
});

test("a state expires", async () => {
  const { seal, wait } = seals(1_000);
  const state = await seal.seal(content, binding);
  wait(1_000);
  await expect(seal.open(state, binding)).resolves.toEqual(content);
  wait(1);
  await expect(seal.open(state, binding)).rejects.toMatchObject({ code: "state_expired" });
});

test("content that would make a state of more than 64 KiB is not sealed", async () => {
  const { seal } = seals();
  const long = { asked: { command: "fix", prompt: "x".repeat(64 * 1024) } };
  expect(await seal.seal(long, binding)).toBeUndefined();
});

test("a key is an id and 32 bytes in base64", () => {
  const encoded = btoa("k".repeat(32));
  expect(parseStateKey(`k_1:${encoded}`)).toEqual({
    id: "k_1",
    bytes: new Uint8Array(32).fill("k".charCodeAt(0)),
  });
  for (const text of [encoded, `:${encoded}`, "a:", `a:${btoa("k".repeat(31))}`, "a b:AAAA"]) {
    expect(parseStateKey(text)).toBeUndefined();
  }
});

test("a text is hashed with SHA-256", async () => {
  expect(await hashText("abc")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

test("what no state can hold is not encrypted first", async () => {
  const encrypt = vi.spyOn(crypto.subtle, "encrypt");
  const { seal } = seals();
  const long = { asked: { command: "fix", prompt: "x".repeat(100_000) } };
  expect(await seal.seal(long, binding)).toBeUndefined();
  expect(encrypt).not.toHaveBeenCalled();
  encrypt.mockRestore();
});
