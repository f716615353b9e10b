import { defaultOperators, filters, tags } from "liquidjs";
import { expect, test } from "vitest";
import { ourFilters, prices, removedFilters } from "../../../src/prompt/liquid/filters.ts";
import { operators } from "../../../src/prompt/liquid/operators.ts";
import { allowedTags, refusedTags } from "../../../src/prompt/liquid/tags.ts";
import { ReadCounter } from "../../helpers/counted.ts";
import { createTestEngine, renderTemplate } from "../../helpers/render-template.ts";

const engine = createTestEngine({ maxTemplateFuel: 500_000 });
const available = [...Object.keys(prices), ...Object.keys(ourFilters)];
const blind = available.filter((name) => prices[name]?.isBlind);
const outOfFuel = /units of work \(.*maxTemplateFuel\)$/;
const loop = (body: string): string => `{% for i in (1..100000) %}${body}{% endfor %}`;

test("every filter of Liquid is priced, replaced or removed, and none twice", () => {
  const classified = [...available, ...Object.keys(removedFilters)];
  expect(Object.keys(filters).filter((name) => !classified.includes(name))).toEqual([]);
  expect(new Set(classified).size).toBe(classified.length);
  expect(Object.keys(prices).filter((name) => !(name in filters))).toEqual([]);
});

test("every tag of Liquid is allowed or refused", () => {
  const classified = [...Object.keys(allowedTags), ...refusedTags];
  expect(classified.sort()).toEqual(Object.keys(tags).sort());
  expect(Object.values(allowedTags)).not.toContain(undefined);
});

test("every operator of Liquid takes fuel", () => {
  expect(Object.keys(operators).sort()).toEqual(Object.keys(defaultOperators).sort());
  for (const name of Object.keys(operators))
    expect(operators[name]).not.toBe(defaultOperators[name]);
});

test.each(Object.entries(removedFilters))("%s is refused, with what to do: %s", (name, hint) => {
  expect(() => engine.compile(`{{ list | ${name}: 'a', 'b' }}`)).toThrow(
    `the filter ${name} is not available: ${hint}`,
  );
});

test.each(available)("%s takes fuel each time it is used", (name) => {
  const text = loop(`{{ small | ${name}: 'a' }}`);
  expect(() => renderTemplate(engine, text, { small: "1" })).toThrow(outOfFuel);
});

test.each(available.filter((name) => !blind.includes(name)))(
  "%s takes the fuel for a long list before it looks at its items",
  (name) => {
    const counter = new ReadCounter();
    const list = counter.wrap(Array.from({ length: 100_000 }, () => "some text"));
    const render = (): string => renderTemplate(engine, `{{ list | ${name}: 'a' }}`, { list });
    expect(render).toThrow(outOfFuel);
    expect(counter.reads).toBeLessThan(100);
  },
);

const ofLists =
  "array_to_sentence_string compact concat find find_index group_by has map pop push reject reverse shift slice sort sum uniq unshift where";

test.each(available.filter((name) => !blind.includes(name) && !ofLists.split(" ").includes(name)))(
  "%s takes fuel for a long text",
  (name) => {
    const text = "1, a & <b>\n".repeat(100_000);
    const render = (): string => renderTemplate(engine, `{{ text | ${name}: 'a' }}`, { text });
    expect(render).toThrow(outOfFuel);
  },
);

test.each(blind)("%s looks into neither lists nor texts", (name) => {
  const counter = new ReadCounter();
  const list = counter.wrap(Array.from({ length: 100_000 }, () => "some text"));
  renderTemplate(engine, `{% assign a = list | ${name}: 'a' %}`, { list });
  expect(counter.reads).toBeLessThan(100);
});

const uses: Readonly<Record<string, string>> = {
  "#": "{% # a comment %}",
  assign: "{% assign a = i %}",
  break: "{% for j in list %}{% break %}{% endfor %}",
  capture: "{% capture a %}{{ i }}{% endcapture %}",
  case: "{% case list %}{% when list %}{% endcase %}",
  comment: "{% comment %}a{% endcomment %}",
  continue: "{% for j in list %}{% continue %}{% endfor %}",
  cycle: "{% cycle list: 1, 2 %}",
  decrement: "{% decrement a %}",
  echo: "{% echo list %}",
  for: "{% for j in list reversed %}{% endfor %}",
  if: "{% if list contains 'x' %}{% endif %}",
  increment: "{% increment a %}",
  liquid: "{% liquid\n  echo i\n %}",
  raw: "{% raw %}{{ a }}{% endraw %}",
  tablerow: "{% tablerow j in list cols: list %}{% endtablerow %}",
  unless: "{% unless list == list %}{% endunless %}",
};

test.each(Object.keys(allowedTags))("the tag %s takes fuel each time it is rendered", (name) => {
  const list = ["a", "b", "c"];
  expect(() => renderTemplate(engine, loop(uses[name] ?? ""), { list })).toThrow(outOfFuel);
});

test.each([
  "{% for j in list %}{% endfor %}",
  "{% for j in list reversed %}{% endfor %}",
  "{% tablerow j in list limit: 1 %}{% endtablerow %}",
  "{% cycle list: 1, 2 %}",
  "{% echo list %}",
  "{{ list }}",
  "{{ other[list] }}",
  "{{ [list] }}",
  "{% if list > 1 %}{% endif %}",
  "{% if 'a' contains list %}{% endif %}",
  "{{ (1..list) }}",
  "{% for i in (1..2) limit: list %}{% endfor %}",
  "{{ 'a' | slice: list }}",
  "{{ 'a' | append: list }}",
  "{{ other | json: list }}",
  "{{ other | tokens: list }}",
])("%s takes the fuel for a long list before it looks at its items", (text) => {
  const counter = new ReadCounter();
  const list = counter.wrap(Array.from({ length: 100_000 }, () => "some text"));
  expect(() => renderTemplate(engine, text, { list, other: {} })).toThrow(outOfFuel);
  expect(counter.reads).toBeLessThan(100);
});

test.each([
  ["equality of lists", "{% if list == same %}{% endif %}"],
  ["a search in a list", "{% if list contains 'none' %}{% endif %}"],
  ["a case", "{% case list %}{% when same %}{% endcase %}"],
  ["a comparison by where", "{{ objects | where: 'list', same }}"],
])("%s takes fuel item by item", (_, text) => {
  const counter = new ReadCounter();
  const list = counter.wrap(Array.from({ length: 100_000 }, () => 1));
  const same = Array.from({ length: 100_000 }, () => 1);
  expect(() => renderTemplate(engine, text, { list, same, objects: [{ list }] })).toThrow(
    outOfFuel,
  );
  expect(counter.reads).toBeLessThan(50_000);
});
