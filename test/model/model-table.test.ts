import { expect, test } from "vitest";
import { type NamedModel, createModelTable } from "../../src/model/model-table.ts";
import { scriptedModel } from "../../src/testing.ts";

const row = (name: string, more: Partial<NamedModel> = {}): NamedModel => ({
  name,
  model: scriptedModel([], { name }),
  ...more,
});

/** Who answers, and which id it is told. */
function resolve(
  rows: readonly [NamedModel, ...NamedModel[]],
  wanted: readonly (string | null | undefined)[],
): [string, string | undefined] {
  const { model, modelId } = createModelTable(rows).resolve(wanted);
  return [model.name, modelId];
}

const first = row("first");
const second = row("second");
const wildcard = row("*");

test("the first wanted name that the table has answers, and needs no id", () => {
  expect(resolve([first, second], ["second", "first"])).toEqual(["second", undefined]);
  expect(resolve([first, second], ["unheard", "second"])).toEqual(["second", undefined]);
  expect(resolve([first, second], [null, undefined, "", "second"])).toEqual(["second", undefined]);
});

test("a name of the table is stronger than the row for all other names", () => {
  expect(resolve([first, wildcard], ["unheard", "first"])).toEqual(["first", undefined]);
});

test("a name that no row has goes to the * row, which is told the strongest", () => {
  expect(resolve([first, wildcard, second], ["unheard", "other"])).toEqual(["*", "unheard"]);
});

test("without a * row the default answers with the model that it has", () => {
  expect(resolve([first, second], ["unheard"])).toEqual(["first", undefined]);
});

test("a default that serves models of its own is asked before the * row", () => {
  const platform = row("platform", { takesAnyName: true });
  expect(resolve([platform, wildcard], ["unheard"])).toEqual(["platform", "unheard"]);
  expect(resolve([first, platform, wildcard], ["unheard"])).toEqual(["*", "unheard"]);
});

test("who wants nothing gets the default and no id, even if there is a * row", () => {
  for (const wanted of [[], [null], [undefined, ""]]) {
    expect(resolve([first, wildcard], wanted)).toEqual(["first", undefined]);
  }
});

test("the * row cannot be wanted by its sign, and no name is special", () => {
  expect(resolve([first, wildcard], ["*", "first"])).toEqual(["first", undefined]);
  expect(resolve([first, wildcard], ["*"])).toEqual(["first", undefined]);
  expect(resolve([first, wildcard], ["*", "unheard"])).toEqual(["*", "unheard"]);
  expect(resolve([first, wildcard], ["constructor"])).toEqual(["*", "constructor"]);
  expect(resolve([first, wildcard], ["__proto__"])).toEqual(["*", "__proto__"]);
});

test("the names are listed with the default first", () => {
  expect(createModelTable([second, first, wildcard]).names).toEqual(["second", "first", "*"]);
});
