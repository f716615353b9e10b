import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TemplateProblem } from "../../src/prompt/render-budget.ts";
import { createTestEngine, renderTemplate } from "../helpers/render-template.ts";

const engine = createTestEngine();

function render(text: string, scope: object = {}): string {
  return renderTemplate(engine, text, scope);
}

function problemOf(run: () => unknown): TemplateProblem {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof TemplateProblem) return thrown;
    throw thrown;
  }
  throw new Error("Nothing was wrong with it.");
}

test("fence puts a value into a fence that it cannot close, with a language or a path as info", () => {
  expect(render("{{ a | fence: 'ts' }}", { a: "x\n```" })).toBe("````ts\nx\n```\n````");
  expect(render("{{ a | fence: path }}", { a: "x", path: "src/a.py" })).toBe("```python\nx\n```");
  expect(render("{{ a | fence }}", { a: "x" })).toBe("```\nx\n```");
  expect(render("{{ a | fence: 7 }}", { a: null })).toBe("```\n```");
});

test("line_numbers numbers from 1 or from the given line, right-aligned", () => {
  expect(render("{{ a | line_numbers }}", { a: "x\n\ny" })).toBe("1 | x\n2 | \n3 | y");
  expect(render("{{ a | line_numbers: first }}", { a: "x\ny", first: 9 })).toBe(" 9 | x\n10 | y");
  expect(render("{{ a | line_numbers: 'x' }}", { a: "x" })).toBe("1 | x");
  expect(render("{{ a | line_numbers: 0 }}", { a: "x" })).toBe("0 | x");
});

test("json prints a value so that JSON reads it back", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (a) => {
      const read: unknown = JSON.parse(render("{{ a | json }}", { a }));
      expect(read).toEqual(JSON.parse(JSON.stringify(a)));
    }),
  );
  expect(render("{{ a | json: 2 }}", { a: { b: 1 } })).toBe('{\n  "b": 1\n}');
  expect(render("{{ nothing | json }}")).toBe("null");
});

test.each([
  ["one\n  {{ a", 2, 3],
  ["one\n\n {% if a %}b", 3, 2],
  ["{% nope %}", 1, 1],
  ["one\ntwo {{ a | nope }}", 2, 5],
  ["{% if a %}\n{% endfor %}", 2, 1],
])("the broken template %j is told with line %i, column %i", (text, line, column) => {
  const problem = problemOf(() => render(text));
  expect([problem.line, problem.column]).toEqual([line, column]);
  expect(problem.message).not.toContain("line:");
  expect(problem.message).not.toContain("\n");
});

test("a filter that nobody registered is named", () => {
  expect(problemOf(() => render("{{ a | upcaze }}")).message).toBe(
    "undefined filter: upcaze (did you mean upcase?)",
  );
});

test("only own properties are reached, in plain templates as in others", () => {
  const a = { b: [1], "": 1 };
  for (const tag of ["", "{% assign x = 1 %}"]) {
    for (const path of [
      "a.constructor",
      "a.__proto__",
      "a.constructor.name",
      "a.b.push",
      "a.toString",
      "constructor",
      "__proto__",
      "toString.name",
    ]) {
      expect(render(`${tag}[{{ ${path} }}]`, { a })).toBe("[]");
    }
  }
  expect(render("{% if a['constructor'] %}yes{% else %}no{% endif %}", { a })).toBe("no");
});

test("an own field is reached even if it is named like an inherited one", () => {
  const a: unknown = JSON.parse('{ "constructor": "c", "__proto__": "p" }');
  expect(render("{{ a.constructor }} {{ a.__proto__ }}", { a })).toBe("c p");
  expect(render("{% assign x = 1 %}{{ a.constructor }} {{ a['__proto__'] }}", { a })).toBe("c p");
});

test("what a value holds comes out literally, however it is printed", () => {
  const text = fc.oneof(
    fc.constantFrom("{{ x }}", "{% include 'a' %}", "{{ x | nope }}", "{%", "<b>&amp;"),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (a) => {
      expect(render("[{{ a }}]", { a, x: "!" })).toBe(`[${a}]`);
      expect(render("{% if true %}[{{ a }}]{% endif %}", { a, x: "!" })).toBe(`[${a}]`);
      expect(render("{% capture b %}{{ a }}{% endcapture %}[{{ b }}]", { a, x: "!" })).toBe(
        `[${a}]`,
      );
      expect(render("{% for b in a %}[{{ b }}]{% endfor %}", { a: [a], x: "!" })).toBe(`[${a}]`);
    }),
  );
});
