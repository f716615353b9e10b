import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compilePlain } from "../../src/prompt/template.ts";
import { withText } from "../../src/prompt/render-budget.ts";
import { createTestEngine, renderTemplate } from "../helpers/render-template.ts";

const engine = createTestEngine();

function compile(template: string): ((scope: object) => string) | undefined {
  const plain = compilePlain(template);
  return plain && ((scope) => plain.render(scope, engine.createBudget()));
}

/** A tag that prints nothing makes it a template for Liquid. */
function renderByLiquid(template: string, scope: object): string {
  return renderTemplate(engine, `${template}{% assign none = 1 %}`, scope);
}

// Few names, so that paths lead somewhere; some mean something to JavaScript or to Liquid.
const names = ["a", "b", "c_1", "forloop", "__proto__", "constructor", "length"] as const;
const name = fc.constantFrom(...names);
const step = fc.oneof(
  name.map((key) => `.${key}`),
  fc.constantFrom("[0]", "[1]", "[01]", "[7]"),
);
const blank = fc.constantFrom("", " ", "  ", "\n", "\t", "\r\n");
const path = fc
  .tuple(name, fc.array(step, { maxLength: 3 }))
  .map(([head, steps]) => head + steps.join(""));
const output = fc
  .tuple(blank, path, blank)
  .map(([before, inner, after]) => `{{${before}${inner}${after}}}`);
// Braces alone are text; what Liquid would read differently is no template of text and paths.
const text = fc.string({
  unit: fc.constantFrom("x", "中", "😀", "\n", " ", "}", "%}", "|", "{ ", "\\", "'", '"'),
});
const template = fc.array(fc.oneof(text, output), { maxLength: 6 }).map((parts) => parts.join(""));

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1.5,
    "",
    "{{ a }}",
    "{% include 'a' %}",
    "<&>",
  ),
  fc.string(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constantFrom("0", "1")), tie("value"), { maxKeys: 3 }),
  ),
}));
/** As the scope of a prompt: without a prototype, so that every name is a plain one. */
const scope = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: false }).map((fields) => {
  const bare: object = Object.create(null);
  return Object.assign(bare, fields);
});

test("a template of text and paths renders as Liquid renders it", () => {
  fc.assert(
    fc.property(template, scope, (source, fields) => {
      const render = compile(source);
      expect(render).toBeDefined();
      expect(render?.(fields)).toBe(renderByLiquid(source, fields));
    }),
  );
});

test("the text of a value with one of its own stands for it, and its fields stay reachable", () => {
  const editor = withText({ content: "let a;", ranges: [{ line: 3 }] }, () => "(the editor)");
  const source = "{{ editor }} {{editor.content}} {{ editor.ranges[0].line }} {{ editor.ranges }}";
  const printed = '(the editor) let a; 3 [\n  {\n    "line": 3\n  }\n]';
  expect(compile(source)?.({ editor })).toBe(printed);
  expect(renderByLiquid(source, { editor })).toBe(printed);
});

test.each([
  "{{ a | upcase }}",
  "{% if a %}b{% endif %}",
  "{{ a.size }}",
  "{{ a.first }}",
  "{{ a.b.last }}",
  "{{ size }}",
  "{{ nil }}{{ a }}",
  "{{ true }}",
  "{{ a.empty }}",
  "{{ contains }}",
  "{{ and }}",
  "{{ or }}",
  "{{ a.not }}",
  "{{ a\uFEFF}}",
  "{{- a }}",
  "{{ a -}}",
  "{{ 'a' }}",
  "{{ 1 }}",
  "{{ a['b'] }}",
  "{{ a[b] }}",
  "{{ a[-1] }}",
  "{{ a-b }}",
  "{{ a b }}",
  "{{ 中 }}",
  "{{}}",
  "{{ a",
  "{{ a }} {{",
  "{% raw %}{{ a }}{% endraw %}",
  "{%- comment %}{{ a }}{% endcomment %}",
  "{% a",
])("%j is left to Liquid", (source) => {
  expect(compile(source)).toBeUndefined();
});
