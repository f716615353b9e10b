// A part of a line is found between tokens, and as code if it is code; the rest of the line is kept.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/edit-session.ts";
import { guessProse, type Prose } from "../../../src/edit/find/guess-prose.ts";
import { isTokenBorder } from "../../../src/edit/find/find-partial.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

function apply(before: string, search: string, replace: string, prose?: Prose): string {
  const result = applyUnits(before, [{ search, replace }], { prose });
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const none = { count: 0, start: () => 0, end: () => 0 };
const code: Prose = { comments: none, strings: none };

test("whatever is found inside a line begins and ends at the border of a token, and the rest is kept", () => {
  const piece = fc.constantFrom("a", "b", "1", "2", ".", "-", " ", "(", ")", ":", "/", "é", "中");
  const word = fc.array(piece, { minLength: 1, maxLength: 10 }).map((all) => all.join(""));
  fc.assert(
    fc.property(word, fc.nat({ max: 9 }), fc.integer({ min: 1, max: 9 }), (line, from, size) => {
      const search = line.slice(from, from + size);
      fc.pre(search.trim() !== "" && search.trim() !== line.trim());
      const before = lines("first", line, "last");
      const result = applyUnits(before, [{ search, replace: "%" }], { prose: code });
      if (!result.ok) return;
      const [head = "", tail = ""] = (result.text.split("\n")[1] ?? "").split("%");
      expect(line.startsWith(head) && line.endsWith(tail)).toBe(true);
      expect(line.slice(head.length, line.length - tail.length).trim()).toBe(search.trim());
      expect(isTokenBorder(line, head.length, true)).toBe(true);
      expect(isTokenBorder(line, line.length - tail.length, false)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

describe("a part of a line is not cut out of a token", () => {
  test.each([
    ["return item", "  return items"],
    ["item", "  return myitem;"],
    ["1.2", 'version = "1.2.3"'],
    ["1.2", "x = 1.2.3"],
    ["10", "x = 10.5"],
    ["10", "x = 10,000"],
    ["10", "width: 10%"],
    ["10", "width: 10px"],
    ["5", "x = 10.5"],
    ["0.5", "x = 10.5"],
    ["1e", "x = 1e-5"],
    ["color", "background-color: red"],
    ["color: red", "background-color: red"],
    ["color", "--color: red"],
    ["background", "background-color: red"],
    ["import os", "import os.path"],
    ["path", "import os.path"],
    ["foo", "foo-bar"],
    ["bar", "foo-bar"],
    ["foo", "call(foo.bar)"],
    ["foo", "call(foo?.bar)"],
    ["foo", "call(foo->bar)"],
    ["std", "std::vector<int> v;"],
    ["vector", "std::vector<int> v;"],
    ["user", "mail user@host now"],
    ["host", "mail user@host now"],
    ["x", "return -x;"],
    ["name", "this.#name = 1"],
    ["override", "@override def"],
    ["src", "see src/main/app"],
    ["can", "say can't now"],
    ["x =", "if x == 1"],
    ["x <", "if (x <= 1)"],
    ["i +", "f(i ++)"],
    ["a &", "f(a && b)"],
    ["=> x", "f(y ==> x)"],
    ["文件", "call(保存文件, 1)"],
    ["e", "call(e\u0301, 1)"],
  ])("%j is not found in %j", (search, line) => {
    expect(apply(lines("first", line, "last"), lines(search), "new\n", code)).toBe(
      "refused: no-match",
    );
  });

  test.each([
    ["foo(a)", "x = foo(a) + 1;", "x = new + 1;"],
    ["sum(a", "x = sum(a, b);", "x = new, b);"],
    [".then(a)", "go(x).then(a);", "go(x)new;"],
    ["a - b", "x = a - b;", "x = new;"],
    ["item", "call(item, items)", "call(new, items)"],
    ["item", "f([item, x])", "f([new, x])"],
    ["保存", "调用 保存 完成", "调用 new 完成"],
  ])("%j is found in %j", (search, line, after) => {
    expect(apply(lines("first(", line, "last"), lines(search), "new\n", code)).toBe(
      lines("first(", after, "last"),
    );
  });

  test("nor is a line that ends or begins a SEARCH of several lines", () => {
    const before = lines("maxx = 10;", "}", "const a = 1", "return items");
    expect(apply(before, lines("x = 10;", "}"), lines("x = 10;", "y();", "}"))).toBe(
      "refused: no-match",
    );
    const cut = lines("const a = 1", "return item");
    expect(apply(before, cut, lines("const a = 1", "return item2"))).toBe("refused: no-match");
  });
});

describe("code is not found in a comment or a string", () => {
  const files: [string, string][] = [
    ["// call retry(1) later", "retry(1)"],
    ["x(); // call retry(1) later", "retry(1)"],
    ["# call retry(1) later", "retry(1)"],
    ["/* call retry(1) later */", "retry(1)"],
    ["/*\n call retry(1) later\n*/", "retry(1)"],
    ['"""\ncall retry(1) later\n"""', "retry(1)"],
    ['say("call retry(1) later");', "retry(1)"],
    ["say('call retry(1) later');", "retry(1)"],
    ["say(`call\n retry(1) later`);", "retry(1)"],
    ["<!-- call retry(1) later -->", "retry(1)"],
    ["-- call retry(1) later", "retry(1)"],
    ["f(x) # import os first", "import os"],
  ];

  test.each(files)("in %j", (text, search) => {
    expect(apply(lines("first();", text, "last();"), lines(search), "new\n")).toBe(
      "refused: no-match",
    );
  });

  test("where the same stands in code as well, that is meant", () => {
    const before = lines("// retry(1) is tried", "x = retry(1);");
    expect(apply(before, lines("retry(1)"), lines("retry(2)"))).toBe(
      lines("// retry(1) is tried", "x = retry(2);"),
    );
  });

  test("what the caller knows about comments and strings counts, not what looks like them", () => {
    const before = lines("a // retry(1)", "b");
    const at = before.indexOf("b");
    const strings = { count: 1, start: () => at - 1, end: () => at + 1 };
    expect(apply(before, lines("retry(1)"), lines("retry(2)"), code)).toBe(
      lines("a // retry(2)", "b"),
    );
    expect(apply(lines("a", "x = b c"), lines("b"), lines("d"), { comments: none, strings })).toBe(
      lines("a", "x = d c"),
    );
    const whole = { count: 1, start: () => 2, end: () => 9 };
    expect(
      apply(lines("a", "x = b c"), lines("b"), lines("d"), { comments: none, strings: whole }),
    ).toBe("refused: no-match");
  });

  test("a comment and a sentence of it are found as what they are", () => {
    const before = lines("x(); // is tried twice at most, see above", "y();");
    expect(apply(before, lines("is tried twice at most"), lines("is tried once"))).toBe(
      before.replace("twice at most", "once"),
    );
    expect(apply(before, lines("// is tried twice at most"), lines("// once"))).toBe(
      before.replace("is tried twice at most", "once"),
    );
  });

  test("lines of a comment are quoted from a cut one on", () => {
    const before = lines(
      "/**",
      " * Drops `user@` from a name. It",
      " * stays as it is.",
      " */",
      "f();",
    );
    const search = lines("a name. It", " * stays as it is.");
    expect(apply(before, search, lines("a name. It", " * goes."))).toBe(
      before.replace("stays as it is", "goes"),
    );
    expect(apply(lines("// x = 1;", "}"), lines("x = 1;", "}"), lines("x = 2;", "}"))).toBe(
      "refused: no-match",
    );
  });

  test.each(['"', "'", "`"])("all of a string in %s is found, a part of it is not", (quote) => {
    const file = lines("first", `open(${quote}https://a.b:9200/c${quote});`, "last");
    const all = apply(file, lines("https://a.b:9200/c"), lines("https://d"));
    expect(all).toBe(lines("first", `open(${quote}https://d${quote});`, "last"));
    expect(apply(file, lines("https"), lines("http"))).toBe("refused: no-match");
  });

  test("a string that is quoted with its quotes is code", () => {
    expect(apply(lines('f("a b", 1);'), lines('"a b"'), lines('"c"'))).toBe(lines('f("c", 1);'));
  });
});

test("comments and strings are guessed in one pass, rather too many than too few", () => {
  const text = `a "b\\"c" 'd' it's // e "f\n#include <x>\n# g\ni-- - 1\n/* h\n*/ \`k\nl\` m "n\no`;
  const { comments, strings } = guessProse(text);
  const list = (all: typeof comments) =>
    Array.from({ length: all.count }, (_, nth) => text.slice(all.start(nth), all.end(nth)));
  expect(list(comments)).toEqual(['// e "f', "# g", "/* h\n*/"]);
  expect(list(strings)).toEqual(['"b\\"c"', "'d'", "`k\nl`", '"n']);
});

describe("the rest of the line", () => {
  test("is kept where REPLACE has blank lines", () => {
    const before = lines("  if (a) { b(); }");
    expect(apply(before, lines("b();"), lines("b();", "", "  c();"), code)).toBe(
      lines("  if (a) { b();", "", "  c(); }"),
    );
    expect(apply(before, lines("b();"), lines("b();", "", "c();"), code)).toBe(
      lines("  if (a) { b();", "", "  c(); }"),
    );
  });

  test("is not doubled where REPLACE has all of it", () => {
    const before = lines("f {", "    return item;", "}");
    expect(apply(before, lines("return item"), lines("return items;"))).toBe(
      before.replace("item;", "items;"),
    );
    expect(apply(before, lines("return item"), lines("if (x) {", "  return item;", "}"))).toBe(
      lines("f {", "    if (x) {", "        return item;", "    }", "}"),
    );
  });

  test("is not doubled where REPLACE changes it: that is refused", () => {
    expect(apply(lines("a();", "done();"), lines("a();", "done"), lines("a();", "done(1);"))).toBe(
      "refused: no-match",
    );
    const before = lines("const total = sum(first);", "next();");
    expect(
      apply(before, lines("sum(first);", "next();"), lines("let total = sum(all);", "next();")),
    ).toBe("refused: no-match");
    expect(apply(before, lines("sum(first)"), lines("let total = sum(all)"))).toBe(
      "refused: no-match",
    );
  });
});

test("what ends a line behind a quoted call stays, whatever signs the new call has", () => {
  const name = fc.stringMatching(/^[a-z]{3,8}$/);
  const values = fc.array(name, { minLength: 1, maxLength: 4 }).map((all) => all.join(", "));
  const rest = fc.constantFrom(",", ";", ")", ");", "),", " }", "],");
  fc.assert(
    fc.property(name, name, name, values, values, rest, (key, old, now, was, is, end) => {
      fc.pre(old !== now && key !== old);
      const [search, replace] = [`${old}(${was})`, `${now}(${is})`];
      const before = lines("first", `  ${key} = ${search}${end}`, "last");
      const after = before.replace(search, replace);
      expect(apply(before, search, replace)).toBe(after);
    }),
  );
});

test("what closes something of the new call is its own, whatever the line goes on with", () => {
  const name = fc.stringMatching(/^[a-z]{3,8}$/);
  fc.assert(
    fc.property(name, name, fc.nat({ max: 3 }), (now, around, depth) => {
      const [open, close] = [`${around}(`.repeat(depth), ")".repeat(depth)];
      const [search, replace] = ["File.open(path).text", `File.${now}(path)`];
      fc.pre(now !== "open");
      const before = lines("first", `  data = ${open}${search}${close}`, "last");
      expect(apply(before, search, replace)).toBe(before.replace(search, replace));
    }),
  );
});
