import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { fence } from "../../../src/base/text/fence.ts";
import {
  type KnowledgeReference,
  type UserInfo,
  type VariableKind,
  type VariableName,
  isVariableName,
  referencesOf,
  variableNames,
  variables,
  withoutCredentials,
} from "../../../src/turn/context/variables.ts";
import { documented } from "./documented-variables.ts";

/** The resolver options of the platform document. */
const options = {
  knowledgeBase: { knowledgeBaseIds: ["kb-1"], recallByAgent: true },
  activeEditor: { contentBeforeSelectionLines: 0, contentAfterSelectionLines: 12 },
  packageFiles: { maximumNumber: 3 },
};

/** What all kinds share; each answers for the values of its own schema. */
const kinds = variables as Record<VariableName, VariableKind>;

test("the variables are those of the platform document, and projectRules", () => {
  expect(variableNames.toSorted()).toEqual(Object.keys(documented).sort());
  expect(isVariableName("activeEditor")).toBe(true);
  for (const name of ["constructor", "__proto__", "toString", "ActiveEditor", ""]) {
    expect(isVariableName(name)).toBe(false);
  }
});

test.each(variableNames)("%s is taken as documented, with fields that we do not know", (name) => {
  const value = documented[name];
  expect(variables[name].schema.parse(value)).toEqual(value);
  const more: unknown = Array.isArray(value)
    ? value.map((item: object) => ({ ...item, later: 1 }))
    : value;
  expect(variables[name].schema.parse(more)).toEqual(more);
});

test.each(variableNames)("%s with an empty value renders to text and costs nothing", (name) => {
  const lists = { knowledgeBase: [], globalPrompts: [], packageFiles: [] };
  const value = { userInputPrompt: "", projectRules: { content: "" }, ...lists };
  const empty: unknown = name in value ? Reflect.get(value, name) : {};
  const kind = kinds[name];
  const parsed = kind.schema.parse(empty);
  expect(kind.print(parsed, {})).not.toMatch(/undefined|null|\[object/);
  expect(kind.cost(parsed)).toBeLessThan(10);
});

test.each(variableNames)("the options of %s are those of the document", (name) => {
  const schema = (variables[name] as { options?: z.ZodType }).options;
  const value: unknown = Reflect.get(options, name);
  if (value === undefined) {
    expect(schema).toBeUndefined();
    return;
  }
  expect(schema?.parse(value)).toEqual(value);
  expect(schema?.safeParse({}).success).toBe(true);
});

test("every documented value renders its own words, and weighs something", () => {
  const words = {
    userInputPrompt: "为什么",
    userInfo: "艾达",
    vcs: "feature/counter, tracking origin/feature/counter",
    knowledgeBase: "Counters are never negative.",
    activeEditor: "> 2 | count++;",
    globalPrompts: "回答要简短。",
    packageFiles: '{ "name": "counter" }',
    projectRules: "Use tabs.",
  };
  for (const name of variableNames) {
    const kind = kinds[name];
    const value = kind.schema.parse(documented[name]);
    expect(kind.print(value, {})).toContain(words[name]);
    expect(kind.cost(value)).toBeGreaterThan(0);
  }
});

test("a person is called by nickname, else name, and never by id", () => {
  const render = (user: UserInfo): string => variables.userInfo.print(user, {});
  expect(render({ id: "u", name: "ada", nickname: "艾达" })).toBe("艾达");
  expect(render({ id: "u", name: "ada", nickname: " " })).toBe("ada");
  expect(render({ id: "u", name: null, nickname: "" })).toBe("");
  expect(render({})).toBe("");
});

test("no user name and no password of any address is left", () => {
  const part = fc.stringMatching(/^[a-z0-9:@%!$&'()*+,;=._~-]{1,12}$/);
  fc.assert(
    fc.property(fc.constantFrom("http", "https", "ssh", "git"), part, (scheme, credentials) => {
      expect(withoutCredentials(`${scheme}://${credentials}@git.example/a@b.git`)).toBe(
        `${scheme}://git.example/a@b.git`,
      );
    }),
  );
});

test("an address without an end is looked through once", () => {
  const endless = "a".repeat(1_000_000);
  expect(withoutCredentials(endless)).toBe(endless);
  expect(withoutCredentials(`https://${endless}@git.example`)).toBe("https://git.example");
});

test("no text can close its fence", () => {
  const text = fc.string({ unit: fc.constantFrom("`", "`", "a", "\n", " ") });
  fc.assert(
    fc.property(text, (inside) => {
      const lines = fence(inside, "ts").split("\n");
      const rule = /^(`{3,})ts$/.exec(lines[0] ?? "")?.[1] ?? "none";
      expect(lines.at(-1)).toBe(rule);
      expect(inside).not.toContain(rule);
      const end = inside === "" || inside.endsWith("\n") ? "" : "\n";
      expect(lines.slice(1, -1).join("\n") + (lines.length > 2 ? "\n" : "")).toBe(inside + end);
    }),
  );
});

test("references of all bases come by score, equal scores in the order in which they came", () => {
  const score = fc.option(fc.constantFrom(-1, 0, 0.1, 0.5, 0.9), { nil: null });
  const base = fc.record({
    references: fc.option(fc.array(fc.record({ score, chunk: fc.string() }))),
  });
  fc.assert(
    fc.property(fc.array(base), (bases) => {
      const found = referencesOf(bases);
      const all: KnowledgeReference[] = bases.flatMap(({ references }) => references ?? []);
      expect(found).toHaveLength(all.length);
      const order = found.map((reference) => ({
        score: reference.score ?? 0,
        at: all.indexOf(reference),
      }));
      for (const [index, { score: own, at }] of order.entries()) {
        const next = order[index + 1];
        if (next === undefined) continue;
        expect(next.score < own || (next.score === own && next.at > at)).toBe(true);
      }
    }),
  );
});

test("references are numbered from the best, each fenced under its source", () => {
  expect(
    variables.knowledgeBase.print(
      [
        { references: [{ score: 0, chunk: "low", metadata: { fileName: "low.md" } }] },
        { knowledgeBaseId: "empty" },
        {
          references: [
            { score: 0.9, chunk: "```\nhigh\n```", metadata: { fileName: "high.md" } },
            { chunk: "none" },
          ],
        },
      ],
      {},
    ),
  ).toBe(
    [
      "[1] high.md (score 0.9)\n````\n```\nhigh\n```\n````",
      "[2] low.md (score 0)\n```\nlow\n```",
      "[3] (unnamed source)\n```\nnone\n```",
    ].join("\n\n"),
  );
});
