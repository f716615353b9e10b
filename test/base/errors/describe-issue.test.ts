import { expect, test } from "vitest";
import * as z from "zod";
import { describeIssue } from "../../../src/base/errors/describe-issue.ts";

const Schema = z.strictObject({
  text: z.string().min(1).max(3),
  number: z.number().min(2),
  whole: z.int(),
  flag: z.boolean(),
  list: z.array(z.string()).min(1),
  map: z.record(z.string(), z.number()),
  role: z.enum(["user", "assistant"]),
  address: z.url(),
  either: z.union([z.string(), z.number()]),
});
const right = {
  text: "a",
  number: 2,
  whole: 1,
  flag: true,
  list: ["a"],
  map: {},
  role: "user",
  address: "http://a.b",
  either: 1,
};

test.each<[object, string]>([
  [{ text: 5 }, "must be a text, not a number"],
  [{ text: null }, "must be a text, not null"],
  [{ text: undefined }, "is missing; write a text"],
  [{ text: "" }, "must not be empty"],
  [{ text: "long" }, "must have at most 3 characters"],
  [{ number: "2" }, "must be a number, not a text"],
  [{ number: 1 }, "must be at least 2"],
  [{ whole: 1.5 }, "must be a whole number, not a fraction"],
  [{ flag: "yes" }, "must be true or false, not a text"],
  [{ list: {} }, "must be a list, not an object"],
  [{ list: [] }, "must have at least 1 item"],
  [{ list: [1] }, "must be a text, not a number"],
  [{ map: [] }, "must be an object, not a list"],
  [{ role: "usr" }, '"usr" is not known; write one of: user, assistant; did you mean user?'],
  [{ role: 1 }, "must be one of: user, assistant; not a number"],
  [{ role: undefined }, "is missing; write one of: user, assistant"],
  [{ address: "x" }, "is not in the expected format"],
  [{ either: true }, "is not in the expected format"],
  [{ other: 1 }, 'has unknown fields: "other"'],
])("%j is described in plain words", (change, sentence) => {
  const value = { ...right, ...change };
  const issues = Schema.safeParse(value).error?.issues ?? [];
  expect(issues.map((issue) => describeIssue(issue, value))).toEqual([sentence]);
});
