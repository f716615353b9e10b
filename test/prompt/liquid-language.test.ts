import * as fc from "fast-check";
import { filters, Liquid, tags } from "liquidjs";
import { expect, test } from "vitest";
import { allowedTags, filterNames } from "../../src/prompt/liquid-language.ts";
import { TemplateProblem } from "../../src/prompt/render-budget.ts";
import { hostileTemplate } from "../helpers/hostile-templates.ts";
import { createTestEngine, renderTemplate } from "../helpers/render-template.ts";
import { seededRandom } from "../helpers/seeded-random.ts";

const engine = createTestEngine();
const liquid = new Liquid({ templates: {}, ownPropertyOnly: true });

test("templates may use ten tags and 25 filters", () => {
  expect(Object.keys(allowedTags)).toHaveLength(10);
  expect(filterNames).toHaveLength(25);
  for (const tag of Object.values(allowedTags)) expect(tag).toBeDefined();
});

test.each(Object.keys(filters).filter((name) => !filterNames.includes(name)))(
  "Liquid's filter %s is refused, with what to use",
  (name) => {
    expect(() => engine.compile(`{{ a | ${name}: 'a', 'b' }}`)).toThrow(
      new RegExp(
        `^the filter ${name} is not available \\((templates may use append, |did you mean )`,
      ),
    );
  },
);

test.each(Object.keys(tags).filter((name) => !(name in allowedTags)))(
  "Liquid's tag %s is refused, with what to use",
  (name) => {
    expect(() => engine.compile(`{% ${name} a %}`)).toThrow(
      /is not available; templates may use assign, |may not load other templates/,
    );
  },
);

const word = fc.string({
  unit: fc.constantFrom("a", "b", " ", "&", "<", "\n", "\r", "中", "😀"),
  maxLength: 8,
});
const item = fc.record(
  { name: fc.constantFrom("a", "b", "c"), size: fc.nat({ max: 5 }) },
  { noNullPrototype: true },
);
const texts = fc.array(word, { maxLength: 6 });
const numbers = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 6 });
const items = fc.array(item, { maxLength: 6 });
const small = fc.integer({ min: -7, max: 7 });

/** Filters, with what is given to them. */
const uses: [filter: string, value: fc.Arbitrary<unknown>, ...given: fc.Arbitrary<unknown>[]][] = [
  ["map: 'name'", items],
  ["where: 'name'", items],
  ["where: 'name', x", items, fc.constantFrom("a", "z")],
  ["where: 'size', x", items, small],
  ["sort", fc.oneof(numbers, texts)],
  ["sort: 'name'", items],
  ["uniq", fc.oneof(numbers, texts)],
  ["reverse", fc.oneof(numbers, texts)],
  ["slice: x", fc.oneof(numbers, word), small],
  ["slice: x, y", fc.oneof(numbers, word), small, small],
  ["join: x", fc.oneof(numbers, texts, fc.array(numbers, { maxLength: 3 })), word],
  ["strip: x", word, word],
  ["split: x", word, word],
  ["replace: x, y", word, word, word],
  ["truncate: x", word, fc.nat({ max: 9 })],
  ["default: x", fc.oneof(word, texts, fc.constant(null)), word],
];

test.each(uses)(
  "%s gives what Liquid's own filter gives",
  (filter, value, x = fc.constant(1), y = fc.constant(1)) => {
    fc.assert(
      fc.property(value, x, y, (list, first, second) => {
        const scope = { list, x: first, y: second };
        const source = `{% assign made = list | ${filter} %}{{ made | json }}`;
        expect(renderTemplate(engine, source, scope)).toBe(
          liquid.parseAndRenderSync(source, scope) || "null",
        );
      }),
    );
  },
);

const operand = fc.constantFrom(..."list x y none blank empty nil true false 1 'a' ''".split(" "));
const operator = fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "contains", "and", "or");
const value = fc.oneof(
  word,
  small,
  numbers,
  texts,
  fc.array(texts, { maxLength: 2 }),
  fc.constant({}),
  item,
);

test("conditions hold when they hold in Liquid", () => {
  const condition = fc
    .tuple(operand, fc.array(fc.tuple(operator, operand), { maxLength: 3 }))
    .map(([first, more]) => [first, ...more.flat()].join(" "));
  fc.assert(
    fc.property(condition, value, value, value, (source, list, x, y) => {
      const text = `{% if ${source} %}yes{% else %}no{% endif %}`;
      expect(renderTemplate(engine, text, { list, x, y })).toBe(
        liquid.parseAndRenderSync(text, { list, x, y }),
      );
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  "{% for i in list %}{{ forloop.index }}{{ forloop.last }}{{ i }}{% else %}none{% endfor %}",
  "{% for i in list limit: 2 %}{{ i }}{% endfor %}{% for i in list offset: continue %}{{ i }},{% endfor %}",
  "{% for i in list reversed limit: 2 offset: 1 %}{{ i }}{% if i == 3 %}{% break %}{% endif %}{% endfor %}",
  "{% for i in list %}{% if i == 3 %}{% continue %}{% endif %}{{ i }}{% endfor %}",
  "{% for i in (1..4) %}{{ i }}{% endfor %}{{ (2..x) | join }}{{ (5..1) | size }}",
  "{% for pair in object %}{{ pair[0] }}={{ pair[1] }} {% endfor %}{% for i in 'text' %}{{ i }}{% endfor %}",
  "{% case x %}{% when 1, 2 %}a{% when 3 or 4 %}b{% when x %}c{% else %}d{% endcase %}",
  "{% case none %}{% when blank %}blank{% when nil %}nil{% else %}other{% endcase %}",
  "{% capture a %}{{ x }}{% for i in list %}{{ i }}{% endfor %}{% endcapture %}[{{ a }}]{{ a.size }}",
  "{% raw %}{{ a }}{% endraw %}{% comment %}{{ a }}{% endcomment %} {{- x -}} ",
  "{% unless x == 3 %}no{% elsif x %}yes{% endunless %}{{ object.size }}{{ list.first }}{{ list.last }}",
  "{{ object['a'] }}{{ object[key] }}{{ list[0] }}{{ list[-1] }}{{ [key] }}{{ x | plus: 5 | minus: 1 }}",
])("%s renders as in Liquid", (source) => {
  const scope = { list: [1, 2, 3, 4, 5], x: 3, object: { a: 1, b: 2 }, key: "a" };
  expect(renderTemplate(engine, source, { ...scope })).toBe(
    liquid.parseAndRenderSync(source, { ...scope }),
  );
});

test("a template reads the variables that Liquid's own analysis finds", () => {
  let compiled = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const text = hostileTemplate(seededRandom(seed));
      try {
        const found = liquid.globalVariablesSync(text);
        expect([...engine.compile(text).variables].sort()).toEqual(found.sort());
        compiled += 1;
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(TemplateProblem);
      }
    }),
    { numRuns: 300 },
  );
  expect(compiled).toBeGreaterThan(100);
});

test.each(["__proto__", "constructor", "toString", "valueOf", "next", "liquidMethodMissing"])(
  "of a loop a template reads its fields, and no %s",
  (name) => {
    const text = `{% for i in (1..2) %}{{ forloop.${name} }}{{ forloop.index }}{% endfor %}`;
    expect(renderTemplate(engine, text)).toBe("12");
  },
);
