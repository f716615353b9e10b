import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileAll } from "../../src/prompt/prompt-library.ts";
import { filterNames } from "../../src/prompt/liquid-language.ts";
import { TemplateProblem } from "../../src/prompt/render-budget.ts";
import { createTemplateEngine } from "../../src/prompt/template.ts";
import { ReadCounter } from "../helpers/counted.ts";
import { hostileTemplate } from "../helpers/hostile-templates.ts";
import { createTestEngine, renderTemplate } from "../helpers/render-template.ts";
import { seededRandom } from "../helpers/seeded-random.ts";
import { cases } from "../helpers/cases.ts";

const engine = createTestEngine();
const maxWork = 50_000;
const tooMuch = `rendering takes more than ${maxWork} units of work`;

const variables = {
  text: "some `text` with & <b>\n".repeat(20_000),
  list: Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 100),
  objects: Array.from({ length: 5_000 }, (_, index) => ({
    name: `n${index % 9}`,
    tags: ["a", "b"],
    list: [1, [2, [3]]],
  })),
  big: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, { index }])),
};

test("random hostile templates do no more than their budget pays for, and end in a text or a problem", () => {
  let renderings = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const counter = new ReadCounter();
      const budget = engine.createBudget();
      const scope = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, counter.wrap(value)]),
      );
      try {
        engine.compile(hostileTemplate(seededRandom(seed))).render(scope, budget);
        renderings += 1;
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(TemplateProblem);
      }
      // Each variable is measured once; the cheapest look at an item, in a copy, is a hundredth of a unit.
      const reads = 100 * Math.min(budget.work, maxWork) + 500_000;
      expect(counter.reads).toBeLessThanOrEqual(reads);
    }),
    { numRuns: cases(40) },
  );
  expect(renderings).toBeGreaterThan(10);
});

const loop = (body: string): string => `{% for i in (1..200000) %}${body}{% endfor %}`;
const large = {
  list: Array.from({ length: 200_000 }, (_, index) => index),
  same: Array.from({ length: 200_000 }, (_, index) => index),
  rows: Array.from({ length: 5_000 }, (_, index) => ({ id: index, name: `row ${index % 100}` })),
  text: "a".repeat(1_000_000),
  two: ["a".repeat(5_000_000), "b".repeat(5_000_000)],
  pattern: "a".repeat(5_000) + "b",
  key: "name",
  fields: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
};

test.each(filterNames)("the filter %s takes work each time it is used", (name) => {
  expect(() => renderTemplate(engine, loop(`{{ small | ${name}: 'a' }}`), { small: "1" })).toThrow(
    tooMuch,
  );
});

test.each([
  loop(""),
  loop("{% if list == list %}{% endif %}"),
  "{% for i in (1..1000000000) %}x{% endfor %}",
  "{% for a in list %}{% for b in list %}{% endfor %}{% endfor %}",
  "{% assign a = 'xxxxxxxx' %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
  `{{ rows ${"| where: key, 'row 1' | sort: key ".repeat(50)} }}`,
  `{% for i in (1..1300) %}{% assign a = rows | where: "name", "x" %}{% endfor %}`,
  "{{ list | sort | sort | sort }}",
  "{{ list | uniq | size }}",
  "{% if rows contains list %}{% endif %}",
  "{% if text contains pattern %}{% endif %}",
  "{{ text | replace: pattern, '' }}",
  "{{ text | split: '' | join: text }}",
  "{{ text | replace: 'a', text }}",
  loop("{% case list %}{% when same, same, same %}{% endcase %}"),
  "{{ rows | map: list }}",
  loop("{{ rows | json: 2 }}"),
  loop("{{ rows }}"),
  loop("{{ fields.size }}"),
  loop("{% if fields == empty %}{% endif %}"),
  loop("{% for field in fields %}{% break %}{% endfor %}"),
  loop("{{ text | line_numbers | tokens: 10 }}"),
  loop(`{{ a${".a".repeat(9_000)} }}`),
  loop(`{{ ${"a[".repeat(500)}1${"]".repeat(500)} }}`),
  loop(`{% if no %}${"{% elsif no %}".repeat(1_000)}{% endif %}`),
  loop(`{% if 1${" 1".repeat(9_000)} %}{% endif %}`),
  loop(`{% case 1 %}{% when 2${" xor 2".repeat(3_000)} %}{% endcase %}`),
  loop(
    `{% for j in text ${Array.from({ length: 2_000 }, (_, nth) => `a${nth}:1`).join(" ")} %}{% endfor %}`,
  ),
  "{% for i in (1..2000) %}{% assign a = two | sort %}{% endfor %}",
  "{% for i in (1..2000) %}{% if two < 'a' %}{% endif %}{% endfor %}",
  "{% for i in (1..1000) %}{% capture a %}{{ text }}{{ text }}{% endcapture %}{% if a.first %}{% endif %}{% endfor %}",
  "{% assign a = (1..9900000) %}",
])("%s ends with the work that is allowed", (text) => {
  expect(() => renderTemplate(engine, text, large)).toThrow(tooMuch);
});

test.each([
  "{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}",
  "{% for i in (0..high) %}x{% endfor %}",
  "{% for i in (low..high) %}x{% endfor %}",
  "{% for i in (text..high) %}x{% endfor %}",
  "{% assign a = list[(low..high)] %}{{ a }}",
  "{{ 'x' | default: (low..high) | slice: 0, 0 }}",
])("%s ends: a range has ends that can be counted", (text) => {
  const scope = { list: [1], low: "9007199254740992", high: 9_007_199_254_740_994, text: ["1"] };
  expect(renderTemplate(engine, text, scope).length).toBeLessThan(2);
});

test.each([
  "{% if a %}".repeat(1_900),
  `{{ ${"(".repeat(9_000)} }}`,
  `{{ a${"[a".repeat(9_000)} }}`,
])("%.30s is nested too deep, or found not to be closed", (text) => {
  // How deep is too deep depends on how much stack the runtime's code takes, which changes as it is compiled.
  expect(() => engine.compile(text)).toThrow(/nested too deep|not closed/);
});

test("a captured text that doubles is no longer than a result may be", () => {
  const text = `{% capture a %}{{ text }}{% endcapture %}${"{% capture a %}{{ a }}{{ a }}{% endcapture %}".repeat(8)}{{ a | last }}`;
  expect(() => renderTemplate(engine, text, large)).toThrow("longer than 20000000 characters");
});

test("a text is put before or after another for the price of both", () => {
  const text = "{{ 'File: ' | append: text | prepend: text | size }}";
  expect(renderTemplate(engine, text, large)).toBe("2000006");
});

test("usual prompts take a small part of the work", () => {
  const files = Array.from({ length: 200 }, (_, nth) => ({
    filepath: `src/f${nth}.ts`,
    content: "line of code\n".repeat(4_000),
  }));
  const budget = engine.createBudget();
  const template = engine.compile(
    "{% if files != blank %}{% for f in files %}{{ f.filepath }}\n{{ f.content }}{% endfor %}{% endif %}{{ files | size }}",
  );
  expect(template.render({ files }, budget).length).toBeGreaterThan(10_000_000);
  expect(budget.work).toBeLessThan(maxWork / 5);
});

test("renderings that take too long end in a problem, and the time between them does not count", () => {
  let now = 0;
  let perLook = 0;
  const timed = createTemplateEngine(() => (now += perLook));
  const template = timed.compile("{% for i in list %}x{% endfor %}");
  const budget = timed.createBudget();
  const scope = { list: [1, 2, 3] };
  expect(template.render(scope, budget)).toBe("xxx");
  now += 1_000;
  expect(template.render(scope, budget)).toBe("xxx");
  perLook = 100;
  expect(() => template.render(scope, budget)).toThrow("rendering takes longer than 250 ms");
});

test.each(["{{ a }}".repeat(30), `{% if a %}${"{{ a }}".repeat(30)}{% endif %}`])(
  "a result longer than allowed is a problem, in plain templates as in others",
  (text) => {
    expect(() => renderTemplate(engine, text, { a: "x".repeat(1_000_000) })).toThrow(
      "the result is longer than 20000000 characters",
    );
  },
);

const list = (text: string): { role: "user"; template: string }[] => [
  { role: "user", template: text },
];

test.each([
  ["characters", list("x".repeat(20_001)), "may be 20000 characters long together"],
  ["filters", list(`{{ a ${"| upcase ".repeat(201)}}}`), "may hold 200 filters and operators"],
  ["operators", list(`{% if a ${"and a ".repeat(201)}%}{% endif %}`), "may hold 200 filters"],
  [
    "values of a branch",
    list(`{% case a %}{% when 1${", 1".repeat(201)} %}{% endcase %}`),
    "200 filters",
  ],
  [
    "templates together",
    Array.from({ length: 3 }, () => list("x".repeat(7_000))).flat(),
    "20000 characters",
  ],
  [
    "filters together",
    Array.from({ length: 3 }, () => list("{{ a | upcase }}".repeat(70))).flat(),
    "200 filters",
  ],
])(
  "too many %s in the templates of a request are refused by name, with the limit",
  (_, templates, message) => {
    expect(() => compileAll("go", templates, engine)).toThrow(message);
  },
);

test("files of the operator may hold ten times as much", () => {
  const template = `${"{{ a | upcase }}".repeat(1_000)}${"x".repeat(100_000)}`;
  const limits = { characters: 200_000, operations: 2_000 };
  expect(compileAll("go", list(template), createTestEngine(), limits).used).toEqual(new Set(["a"]));
});

test("blocks in blocks, brackets in brackets and very long tags end in a text or a problem", () => {
  for (const text of [
    "{% if a %}".repeat(900) + "{% endif %}".repeat(900),
    `{{ ${"a[".repeat(3_000)}0${"]".repeat(3_000)} }}`,
    `{{ ${"(".repeat(9_000)} }}`,
    `{{ a${"[0]".repeat(6_000)} }}`,
    `{% if ${"a ".repeat(9_000)}%}`,
  ]) {
    try {
      renderTemplate(engine, text, { a: 1 });
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(TemplateProblem);
      if (thrown instanceof Error) expect(thrown.message.length).toBeLessThanOrEqual(500);
    }
  }
});

test("our own templates print the same, and nothing bounds their work", () => {
  const text = "{% for line in lines %}{{ line | fence: 'ts' }}{{ forloop.index }}{% endfor %}";
  const render = (count: number, isOwn: boolean): string => {
    const scope = { lines: Array.from({ length: count }, (_, nth) => ({ nth })) };
    return engine.compile(text, isOwn).render(scope, engine.createBudget());
  };
  expect(render(10, true)).toBe(render(10, false));
  expect(() => render(30_000, false)).toThrow("units of work");
  expect(render(30_000, true)).toMatch(/"nth": 29999\n\}\n```30000$/);
});
