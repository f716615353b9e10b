import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JsonScan, parseEach, parseFirst } from "../../../src/base/text/mended-json.ts";

const text = fc
  .array(
    fc.constantFrom(
      ...Array.from("{}[]\"'`\\/,:;()<>=# a1中"),
      "\n",
      "\r\n",
      "\t",
      "\\d",
      "//",
      "\u0001",
    ),
    { maxLength: 20 },
  )
  .map((signs) => signs.join(""));
const value = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z_]{0,7}$/),
  fc.oneof(text, fc.integer(), fc.boolean()),
  {
    minKeys: 1,
    noNullPrototype: true,
    maxKeys: 4,
  },
);

/** As models write it: with the line breaks of its texts as they are, in other quotes, with a comma too many. */
const dresses: Readonly<Record<string, (object: object) => string>> = {
  strict: (object) => JSON.stringify(object),
  indented: (object) => JSON.stringify(object, undefined, 2),
  "with line breaks and tabs": (object) => withBreaks(JSON.stringify(object)),
  "in single quotes": (object) => {
    const quoted = JSON.stringify(object).replaceAll("'", String.raw`\'`);
    return quoted.replaceAll(/\\[^]|"/g, (sign) =>
      sign === '"' ? "'" : sign === '\\"' ? '"' : sign,
    );
  },
  "with a comma behind the last": (object) =>
    `${withBreaks(JSON.stringify(object)).slice(0, -1)},}`,
  "with bare names and a comment": (object) =>
    JSON.stringify(object).replace(/^\{"([a-z_]+)":/, "{ // that's (all)\n $1:"),
};

function withBreaks(json: string): string {
  return json.replaceAll(/\\(?:([nrt])|[^])/g, (escape, sign?: string) =>
    sign === undefined ? escape : ({ n: "\n", r: "\r", t: "\t" }[sign] ?? escape),
  );
}

const tails = [
  "",
  "</tool_call>",
  "\n</tool_call>\nDone.",
  " I wait for it.",
  "。我先等结果。",
  "\n```",
  "}",
  ";",
  " <|im_end|>",
  '\nThen I call "finish" {soon}.',
];

test.each(Object.entries(dresses))(
  "%s, the first whole object counts, whatever comes behind it",
  (_, print) => {
    fc.assert(
      fc.property(value, fc.constantFrom(...tails), fc.boolean(), (object, tail, isTwice) => {
        const printed = print(object);
        const other = isTwice ? `\n${printed}` : "";
        expect(parseFirst(`${printed}${other}${tail}`)).toEqual(object);
        expect(parseEach(`${printed}${other}${tail}`)).toEqual(
          isTwice ? [object, object] : [object],
        );
      }),
    );
  },
);

test.each(Object.entries(dresses))("%s, what is cut off is not read", (_, print) => {
  fc.assert(
    fc.property(value, fc.double({ min: 0, max: 0.999, noNaN: true }), (object, part) => {
      const printed = print(object);
      const cut = printed.slice(0, Math.floor((printed.length - 1) * part));
      expect(parseFirst(cut)).toBeUndefined();
      expect(parseFirst(`${printed}\n${cut}`)).toEqual(cut.trim() === "" ? object : undefined);
    }),
  );
});

test("where an object ends does not depend on how it comes", () => {
  fc.assert(
    fc.property(value, fc.array(fc.nat(40), { minLength: 1 }), (object, sizes) => {
      const printed = `${withBreaks(JSON.stringify(object))} {`;
      const scan = new JsonScan();
      let at = 0;
      for (let nth = 0; at < printed.length; nth += 1) {
        const size = 1 + (sizes[nth % sizes.length] ?? 0);
        const end = scan.take(printed.slice(at, at + size));
        if (end !== -1) {
          expect(at + end).toBe(printed.length - 2);
          expect(scan.value()).toEqual(object);
          return;
        }
        at += size;
      }
      expect.fail("The object did not end.");
    }),
  );
});

test.each([
  String.raw`{"path": "a.js", "code": "print("}")\nfoo"}`,
  '{"path": "a.js", "code": "x = "} else { y = "b"}',
  '{"path": "a.js", "code": "a("x", b)"}',
  '{"path": "a.js", "code": """x"""}',
  '{"path": "a.js", "code": "x"]',
])("a text that a quote inside of it would end is not read: %s", (json) => {
  expect(parseFirst(json)).toBeUndefined();
});
