import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TemplateProblem } from "../../../src/prompt/template-problem.ts";
import { ReadCounter } from "../../helpers/counted.ts";
import { hostileTemplate } from "../../helpers/hostile-templates.ts";
import { createTestEngine, renderTemplate } from "../../helpers/render-template.ts";
import { seededRandom } from "../../helpers/seeded-random.ts";

function problemOf(run: () => unknown): TemplateProblem {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof TemplateProblem) return thrown;
    throw thrown;
  }
  throw new Error("Nothing was wrong with it.");
}

const variables = {
  text: "some `text` with & <b>\n".repeat(200),
  list: Array.from({ length: 2_000 }, (_, index) => (index * 7_919) % 100),
  objects: Array.from({ length: 500 }, (_, index) => ({
    name: `n${index % 9}`,
    tags: ["a", "b"],
    list: [1, [2, [3]]],
  })),
  big: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, { index }])),
};

test("random hostile templates do no more than their fuel pays for, and end in a text or a problem", () => {
  const limits = { maxTemplateFuel: 400_000, renderMemory: 1_000_000 };
  const engine = createTestEngine(limits);
  let renderings = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const text = hostileTemplate(seededRandom(seed));
      const counter = new ReadCounter();
      const fuel = engine.createFuel();
      const scope = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, counter.wrap(value)]),
      );
      let longestStep = 0;
      try {
        const steps = engine.compile(text).render(scope, fuel);
        renderings += 1;
        for (let before = 0, done = false; !done; before = fuel.used) {
          const step = steps.next();
          done = step.done === true;
          longestStep = Math.max(longestStep, fuel.used - before);
          if (step.done === true) expect(step.value.length).toBeLessThanOrEqual(1_000_000);
        }
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(TemplateProblem);
      }
      expect(fuel.used).toBeLessThanOrEqual(limits.maxTemplateFuel);
      // The cheapest look at an item, when it is copied, costs two units.
      expect(counter.reads).toBeLessThanOrEqual(fuel.used + 1_000);
      expect(longestStep).toBeLessThanOrEqual(100_000 + 0.15 * limits.maxTemplateFuel);
    }),
    { numRuns: 500 },
  );
  expect(renderings).toBeGreaterThan(100);
});

test("the same seed gives the same template", () => {
  expect(hostileTemplate(seededRandom(7))).toBe(hostileTemplate(seededRandom(7)));
  expect(hostileTemplate(seededRandom(7))).not.toBe(hostileTemplate(seededRandom(8)));
});

test("a long condition for each number of a range ends with the fuel", () => {
  const engine = createTestEngine();
  const terms = Array.from({ length: 100 }, (_, index) => `i == ${index}`).join(" or ");
  const loop = `{% for i in (1..100000) %}{% if ${terms} %}x{% endif %}{% endfor %}`;
  expect(problemOf(() => renderTemplate(engine, loop)).message).toBe(
    "rendering takes more than 10000000 units of work (maxTemplateFuel)",
  );
  const expression = `{{ (1..170000) | where_exp: "i", "${terms}" | size }}`;
  expect(problemOf(() => engine.compile(expression)).message).toContain(
    "where_exp is not available",
  );
});

test("one filter takes no more than its share, so that nobody waits long for it", () => {
  const engine = createTestEngine();
  const list = Array.from({ length: 400_000 }, (_, index) => ({ name: `n${index}` }));
  expect(problemOf(() => renderTemplate(engine, "{{ list | json }}", { list })).message).toBe(
    "one operation takes more than 1500000 units of work (15 % of maxTemplateFuel)",
  );
});

test.each([
  ["tags", "{{ a | abs }}".repeat(2_001), "may hold 2000 tags and outputs together"],
  ["tags in comments", `{% comment %}${"{{ a }}".repeat(2_001)}{% endcomment %}`, "2000 tags"],
  ["tags in raw text", `{% raw %}${"{% if".repeat(2_001)}{% endraw %}`, "2000 tags"],
  ["lines of liquid", `{% liquid\n${"echo a\n".repeat(2_001)}%}`, "2000 tags"],
  ["comments in liquid", `{% liquid\n${"#\n".repeat(2_001)}%}`, "2000 tags"],
  ["plain outputs", "{{ a }}".repeat(2_001), "2000 tags"],
  ["conditions", `{% if a ${"and a ".repeat(11_000)}%}{% endif %}`, "may hold 20000 names"],
  ["filters", `{{ a ${"| abs ".repeat(11_000)} }}`, "may hold 20000 names"],
  ["values without operators", `{{ ${"1 ".repeat(21_000)} }}`, "may hold 20000 names"],
  ["signs", `{{ a${"[0]".repeat(21_000)} }}`, "may hold 20000 names"],
  ["blocks", "{% if a %}".repeat(51) + "{% endif %}".repeat(51), "blocks may be nested 50 deep"],
  ["brackets", `{{ ${"a[".repeat(21)}0${"]".repeat(21)} }}`, "brackets may be nested 20 deep"],
  ["ranges in ranges", `{{ ${"(".repeat(3_000)} }}`, "brackets may be nested 20 deep"],
  ["a range", "{{ (1..100001) }}", "a range may hold 100000 numbers"],
  ["characters", "a".repeat(200_001), "may be 200000 characters long (templateLength)"],
])("too many %s are refused by name, with the limit", (_, text, message) => {
  const engine = createTestEngine();
  expect(problemOf(() => renderTemplate(engine, text)).message).toContain(message);
});

test("comments of many empty lines are checked in one pass", () => {
  const engine = createTestEngine();
  const lines = "\n".repeat(150_000);
  expect(renderTemplate(engine, `a{% # one ${lines} # two %}b`)).toBe("ab");
  expect(problemOf(() => engine.compile(`{% # one ${lines} two %}`)).message).toContain(
    "must start",
  );
});

test("lists in lists end at a depth, before anything overflows", () => {
  const engine = createTestEngine();
  const nest =
    "{% assign a = '' | split: '' %}{% for i in (1..900) %}{% assign a = '' | split: '' | push: a %}{% endfor %}";
  for (const use of ["{{ a }}", "{% if a == a %}{% endif %}", "{% echo a %}", "{{ a | join }}"]) {
    expect(problemOf(() => renderTemplate(engine, nest + use)).message).toBe(
      "lists may be nested 200 levels deep",
    );
  }
});

test("a list that holds itself twice, and that twice again, weighs what it prints", () => {
  const engine = createTestEngine();
  const double =
    "{% assign a = '' | split: '' | push: 'x' %}{% for i in (1..60) %}{% assign a = '' | split: '' | push: a | push: a %}{% endfor %}";
  expect(
    problemOf(() => renderTemplate(engine, `${double}{{ a | size }}{{ a | json }}`)).message,
  ).toContain("units of work");
});

test("what a broken template quotes of itself is short", () => {
  const problem = problemOf(() => createTestEngine().compile(`{% if ${"a ".repeat(9_000)}%}`));
  expect(problem.message.length).toBeLessThanOrEqual(300);
});
