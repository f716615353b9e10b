import * as fc from "fast-check";
import { Liquid } from "liquidjs";
import { expect, test } from "vitest";
import { hostileTemplate } from "../../helpers/hostile-templates.ts";
import { createTestEngine, renderTemplate } from "../../helpers/render-template.ts";
import { seededRandom } from "../../helpers/seeded-random.ts";

const engine = createTestEngine({ maxTemplateFuel: 1e9 });
const liquid = new Liquid({ templates: {}, ownPropertyOnly: true });

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

/** The filters that are ours, with what is given to them. */
const uses: [filter: string, value: fc.Arbitrary<unknown>, ...given: fc.Arbitrary<unknown>[]][] = [
  ["map: 'name'", items],
  ["sum", numbers],
  ["sum: 'size'", items],
  ["where: 'name'", items],
  ["where: 'name', x", items, fc.constantFrom("a", "z")],
  ["where: 'size', x", items, small],
  ["reject: 'name', x", items, fc.constantFrom("a", "z")],
  ["has: 'name', x", items, fc.constantFrom("a", "z")],
  ["find: 'name', x", items, fc.constantFrom("a", "z")],
  ["find_index: 'name', x", items, fc.constantFrom("a", "z")],
  ["group_by: 'name'", items],
  ["sort", numbers],
  ["sort", texts],
  ["sort: 'name'", items],
  ["sort_natural", texts],
  ["sort_natural: 'name'", items],
  ["uniq", fc.oneof(numbers, texts)],
  ["compact", fc.array(fc.option(small))],
  ["reverse", fc.oneof(numbers, texts)],
  ["concat: x", numbers, numbers],
  ["push: x", numbers, small],
  ["unshift: x", numbers, small],
  ["pop", numbers],
  ["shift", numbers],
  ["slice: x", fc.oneof(numbers, word), small],
  ["slice: x, y", fc.oneof(numbers, word), small, small],
  ["join", fc.oneof(numbers, texts)],
  ["join: x", fc.oneof(numbers, texts, fc.array(numbers, { maxLength: 3 })), word],
  ["array_to_sentence_string", texts],
  ["array_to_sentence_string: x", texts, word],
  ["escape", word],
  ["escape_once", word.map((text) => `${text}&amp;&lt;`)],
  ["xml_escape", word],
  ["newline_to_br", word],
  ["strip_newlines", word],
  ["normalize_whitespace", word],
  ["squish", word],
  ["strip", word],
  ["lstrip", word],
  ["rstrip", word],
  ["strip: x", word, word],
  ["lstrip: x", word, word],
  ["rstrip: x", word, word],
  [
    "truncatewords: x",
    texts.map((list) => `a ${list.join(" ").trim()} b`),
    fc.integer({ min: 1, max: 9 }),
  ],
  ["split: x", word, word],
  ["replace: x, y", word, word, word],
  ["remove: x", word, word],
  ["replace_first: x, y", word, word, word],
  ["remove_first: x", word, word],
  ["replace_last: x, y", word, word, word],
  ["remove_last: x", word, word],
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

const values = [
  "list",
  "x",
  "y",
  "none",
  "blank",
  "empty",
  "nil",
  "true",
  "false",
  "1",
  "'a'",
  "''",
];
const operand = fc.constantFrom(...values);
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
  "{% for i in (1..4) %}{{ i }}{% endfor %}{{ (2..x) | join }}{{ (5..1) | size }}{{ (1.5..3.2) | join }}",
  "{% for pair in object %}{{ pair[0] }}={{ pair[1] }} {% endfor %}{% for i in 'text' %}{{ i }}{% endfor %}",
  "{% tablerow i in list cols: 2 limit: 3 offset: 1 %}{{ i }}{{ tablerowloop.col }}{% endtablerow %}",
  "{% for i in list %}{% cycle 'a', 'b' %}{% cycle x: 'a', 'b', 'c' %}{% endfor %}",
  "{% case x %}{% when 1, 2 %}a{% when 3 or 4 %}b{% when x %}c{% else %}d{% endcase %}",
  "{% case none %}{% when blank %}blank{% when nil %}nil{% else %}other{% endcase %}",
  "{% increment a %}{% increment a %}{% decrement b %}{{ a }}{{ b }}",
  "{% capture a %}{{ x }}{% for i in list %}{{ i }}{% endfor %}{% endcapture %}[{{ a }}]{{ a.size }}",
  "{% liquid\n  assign a = x | plus: 1\n  echo a\n  # a comment\n  if a > 1\n    echo list\n  endif\n%}",
  "{% raw %}{{ a }}{% endraw %}{% comment %}{{ a }}{% endcomment %}{%- # note -%} {{- x -}} ",
  "{% unless x == 3 %}no{% elsif x %}yes{% endunless %}{{ object.size }}{{ list.first }}{{ list.last }}",
  "{{ object['a'] }}{{ object[key] }}{{ list[0] }}{{ list[-1] }}{{ [key] }}{{ a b }}",
  "{{ '2024-05-06' | date: '%Y/%m/%d %H %%' }}{{ x | at_least: 5 }}{{ x | default: 7 }}{{ none | default: 7 }}",
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
      const text = hostileTemplate(seededRandom(seed)).replaceAll("where_exp", "sort");
      const { variables } = engine.compile(text);
      const found = liquid.globalVariablesSync(text);
      expect([...variables].sort()).toEqual(found.sort());
      compiled += 1;
    }),
    { numRuns: 300 },
  );
  expect(compiled).toBeGreaterThan(100);
});

test("names that are found at run time are read, too", () => {
  const template = engine.compile("{{ [name] }}");
  expect(template.isDynamic).toBe(true);
  expect([...template.variables]).toEqual(["name"]);
  expect(engine.compile("{{ ['name'] }}{{ a[name] }}").isDynamic).toBe(false);
});
