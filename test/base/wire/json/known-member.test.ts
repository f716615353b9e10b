import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KnownMember } from "../../../../src/base/wire/known-member.ts";

const limits = { maxText: 10_000, maxKept: 40_000 };
const long = "x".repeat(100);
const agent = { name: long, commands: [{ name: "explain", text: 'a "quoted" } text\\' }] };

function read(member: KnownMember, json: string): unknown {
  const short = member.shorten(json);
  if (short !== undefined) {
    const body: unknown = JSON.parse(short.json);
    if (short.complete(body)) return body;
  }
  member.learn(json);
  return JSON.parse(json);
}

test("a value is recognised from its second coming on, is one frozen object, and the rest stays", () => {
  const member = new KnownMember("agent", limits);
  const body = (question: string) => JSON.stringify({ command: "x", agent, question });
  expect(read(member, body("one"))).toEqual({ command: "x", agent, question: "one" });
  const second = read(member, body("two")) as { agent: object };
  const third = read(member, body("three")) as { agent: object };
  expect(second).toEqual({ command: "x", agent, question: "two" });
  expect(third.agent).toBe(second.agent);
  expect(Object.isFrozen(third.agent)).toBe(true);
  expect(member.isApproved(third.agent)).toBe(false);
  member.approve(third.agent);
  expect(member.isApproved(second.agent)).toBe(true);
});

test("only what is known and frozen can be approved", () => {
  const member = new KnownMember("agent", limits);
  member.approve(agent);
  expect(member.isApproved(agent)).toBe(false);
});

test("whatever a body holds, it is read as JSON.parse reads it", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('"agent":', '{"agent":{}}', "\\", '"', "agent"),
  );
  const key = fc.oneof(fc.constantFrom("agent", "agents", 'x"agent', "a\\u0067ent"), text);
  const known = fc.constantFrom({ name: long }, { name: `${long}2` }, agent, {
    name: long,
    agent: { name: long },
  });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      known,
      text,
      fc.integer(),
      fc.array(tie("value")),
      tie("record"),
    ),
    record: fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }),
  }));
  // Printed by hand: keys come twice, and with escapes.
  const print = (item: unknown, isRecord: boolean): string => {
    if (!isRecord) return JSON.stringify(item);
    const fields = (item as [string, unknown][]).map(([name, field]) => {
      const printed = name === "a\\u0067ent" ? `"${name}"` : JSON.stringify(name);
      return `${printed}: ${print(field, isFields(field))}`;
    });
    return `{${fields.join(", ")}}`;
  };
  const isFields = (item: unknown): boolean =>
    Array.isArray(item) &&
    item.every(
      (field) => Array.isArray(field) && field.length === 2 && typeof field[0] === "string",
    );
  fc.assert(
    fc.property(fc.array(fc.array(fc.tuple(key, value), { maxLength: 4 })), (bodies) => {
      const member = new KnownMember("agent", limits);
      for (const body of [...bodies, ...bodies]) {
        const json = print(body, true);
        expect(read(member, json)).toEqual(JSON.parse(json));
      }
    }),
  );
});

test("values that begin alike are told apart, also where one is the beginning of the other", () => {
  const member = new KnownMember("agent", limits);
  const bodies = Array.from({ length: 6 }, (_, nth) => ({ agent: { name: long, nth: 10 ** nth } }));
  for (const body of [...bodies, ...bodies, ...bodies])
    expect(read(member, JSON.stringify(body))).toEqual(body);
});

test("texts that are too long are not kept, and all together are bounded", () => {
  const member = new KnownMember("agent", { maxText: 1_000, maxKept: 1_500 });
  const body = (name: string) => JSON.stringify({ agent: { name } });
  const huge = body("x".repeat(1_000));
  const [first, second] = [body("a".repeat(900)), body("b".repeat(900))];
  for (const json of [huge, first, second]) member.learn(json);
  expect([huge, first, second].map((json) => member.shorten(json) !== undefined)).toEqual([
    false,
    false,
    true,
  ]);
});
