// What answers with functions and files do besides, and what must not come of it.
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../../../src/testing.ts";
import { ask, editor } from "../../../helpers/copilot-client.ts";
import { createTestApp } from "../../../helpers/create-test-app.ts";
import { fenced, play } from "./play.ts";

async function afterOf(path: string, before: string, answer: string): Promise<string | undefined> {
  return (await play(path, before, answer)).after;
}

test.each([
  ["export default function a() {", "function a() {", "export default function a() {"],
  ["export default function a() {", "export function a() {", "export default function a() {"],
  ["export async function a() {", "async function a() {", "export async function a() {"],
  ["export async function a() {", "export function a() {", "export function a() {"],
  ["async function a() {", "function a() {", "async function a() {"],
  ["function a() {", "export function a() {", "export function a() {"],
])("%j that is written anew as %j is %j", async (was, now, is) => {
  const body = "\n  return 1;\n}\n";
  const answer = fenced(`${now}${body.replace("1", "2")}`);
  expect(await afterOf("a.ts", was + body, answer)).toBe(is + body.replace("1", "2"));
});

test.each([
  ["public int a() {", "int a() {", "public int a() {"],
  ["private static int a() {", "int a() {", "private static int a() {"],
  ["private static int a() {", "static int a() {", "private static int a() {"],
  ["private int a() {", "public int a() {", "public int a() {"],
])("the member %j that is written anew as %j is %j", async (was, now, is) => {
  const file = (head: string, value: number) =>
    `class A {\n    ${head}\n        return ${value};\n    }\n}\n`;
  expect(await afterOf("A.java", file(was, 1), fenced(`${now}\n    return 2;\n}\n`))).toBe(
    file(is, 2),
  );
});

test("lines that are indented by a part of a level keep it, and all others, too", async () => {
  const before = "function a(b) {\n    return b\n        .map(c)\n        .join();\n}\n";
  const answer = fenced(
    "function a(b) {\n    return b\n      .filter(d)\n        .map(c)\n        .join();\n}\n",
  );
  expect(await afterOf("a.js", before, answer)).toBe(
    before.replace("        .map", "      .filter(d)\n        .map"),
  );
});

test("code that goes a level deeper is indented as the file does it", async () => {
  const before = "class A:\n\tdef b(self):\n\t\tx = 1\n\t\treturn x\n";
  const answer = fenced(
    "def b(self):\n    if self:\n        x = 1\n        return x\n    return 2\n",
  );
  expect(await afterOf("a.py", before, answer)).toBe(
    "class A:\n\tdef b(self):\n\t\tif self:\n\t\t\tx = 1\n\t\t\treturn x\n\t\treturn 2\n",
  );
});

test("a line of tabs and blanks that did not change keeps its bytes", async () => {
  const before = "function a() {\n\tone();\n        two();\n\tthree();\n}\n";
  const answer = fenced("function a() {\n    one();\n    two();\n    four();\n}\n");
  const after = (await afterOf("a.js", before, answer)) ?? before.replace("three", "four");
  expect(after).toContain("\tone();\n");
  expect(after).toContain("four();\n");
});

test("a note on what was changed is no doc comment", async () => {
  const before = "package a\n\n// B is it.\nfunc B() int {\n\treturn 1\n}\n\nfunc C() {}\n";
  const answer = fenced("// Fixed: returns 2 now.\nfunc B() int {\n\treturn 2\n}\n");
  expect(await afterOf("a.go", before, answer)).toBe(before.replace("return 1", "return 2"));
});

test("a part of the change that is shown on its own says nothing new", async () => {
  const before = "function a(b) {\n  log(b);\n  return b;\n}\n";
  const answer = `Change this line:\n\n${fenced("return b + 1;\n")}\nAll of it:\n\n${fenced(before.replace("return b", "return b + 1"))}`;
  const played = await play("a.js", before, answer);
  expect(played.after).toBe(before.replace("return b", "return b + 1"));
  expect(played.calls).toBe(1);
});

describe("what shows how the code is used is not written into the file", () => {
  test.each([
    ["a call", "a.js", "function a() {\n  return 1;\n}\n", "console.log(a());\n"],
    [
      "a main function",
      "a.rs",
      "pub fn a() -> i32 {\n    1\n}\n",
      'fn main() {\n    println!("{}", a());\n}\n',
    ],
    [
      "a main block",
      "a.py",
      "def a():\n    return 1\n",
      'if __name__ == "__main__":\n    print(a())\n',
    ],
    ["a test", "a.py", "def a():\n    return 1\n", "def test_a():\n    assert a() == 2\n"],
  ])("%s", async (_, path, before, demo) => {
    const played = await play(path, before, fenced(`${before.replace("1", "2")}\n\n${demo}`));
    expect([played.after, played.calls]).toEqual([undefined, 2]);
  });
});

test("a code block that stands in a list is read as it is meant", async () => {
  const before = "function a() {\n  return 1;\n}\n";
  const answer = "1. Return two:\n\n   ```js\n   function a() {\n     return 2;\n   }\n   ```\n";
  expect(await afterOf("a.js", before, answer)).toBe(before.replace("1", "2"));
});

test("a function of another file is not put into this one", async () => {
  const before = "function a() {\n  return 1;\n}\n";
  const answer = `**src/other.js**\n\n${fenced("function a() {\n  return 2;\n}\n", "js")}`;
  const played = await play("src/a.js", before, answer);
  expect(played.after).toBeUndefined();
  expect(played.text).toContain("return 2;");
});

test("an answer that was cut off changes nothing, though its function is whole", async () => {
  const before = "function a() {\n  return 1;\n}\n";
  const model = scriptedModel([[fenced("function a() {\n  return 2;\n}\n"), { end: "length" }]]);
  const { app } = createTestApp({ models: model });
  const reply = await ask(app, "fix", [editor(before)]);
  expect(reply.text).not.toContain("+  return 2;");
  expect(reply.finish).toBe("length");
});

test("a function of a file with thousands of them is found, and a whole file is as well", async () => {
  const names = Array.from(
    { length: 1_000 },
    (_, nth) => `function f${nth}() {\n  return ${nth};\n}\n`,
  );
  const before = names.join("");
  const answer = fenced("function f400() {\n  return 1;\n}\n");
  expect(await afterOf("a.js", before, answer)).toBe(before.replace("return 400", "return 1"));
  expect(await afterOf("a.js", before, fenced(before.replace("return 400", "return 1")))).toBe(
    before.replace("return 400", "return 1"),
  );
});

test.each([
  ["units", "------- SEARCH\n  return 1;\n=======\n  return 2;\n+++++++ REPLACE\n", undefined],
  ["a diff", fenced("-  return 1;\n+  return 2;\n", "diff"), "unified-diff"],
  ["a function", fenced("function a() {\n  return 2;\n}\n"), "function"],
  [
    "code with marks",
    fenced("// ... existing code ...\nfunction a() {\n  return 2;\n}\n"),
    "code-edit",
  ],
  ["JSON", '{"search": "  return 1;", "replace": "  return 2;"}\n', "json"],
])("what a turn tells of a change names its form: %s", async (_, answer, form) => {
  const { edits, after } = await play("a.js", "function a() {\n  return 1;\n}\n", answer);
  expect(after).toBe("function a() {\n  return 2;\n}\n");
  expect(edits.map((edit) => edit.form)).toEqual([form]);
});

test("blank lines that only set a mark apart are no new lines", async () => {
  const before = ".a {\n  top: 0;\n}\n\n.b {\n  top: 0;\n  left: 0;\n}\n";
  const answer = fenced("/* ... existing code ... */\n\n.b {\n  top: 1px;\n  left: 0;\n}\n");
  expect(await afterOf("a.css", before, answer)).toBe(before.replace("0;\n  left", "1px;\n  left"));
});

test("imports stand where the file has or may have them", async () => {
  const python = fenced("import math\n\ndef a(b):\n    return math.floor(b)\n", "python");
  expect(await afterOf("a.py", "def a(b):\n    return b\n", python)).toBe(
    "import math\n\n\ndef a(b):\n    return math.floor(b)\n",
  );
  expect(await afterOf("a.py", '"""It."""\n\n\ndef a(b):\n    return b\n', python)).toBe(
    '"""It."""\n\n\nimport math\n\n\ndef a(b):\n    return math.floor(b)\n',
  );
  const attached = '"""It."""\ndef a(b):\n    return b\n';
  expect(await afterOf("a.py", attached, python)).toBeUndefined();
  const go = 'package a\n\nimport (\n\t"fmt"\n)\n\nfunc A() {\n\tfmt.Println(1)\n}\n';
  const answer = fenced(
    'import (\n\t"fmt"\n\t"os"\n)\n\nfunc A() {\n\tfmt.Fprintln(os.Stderr, 1)\n}\n',
    "go",
  );
  expect(await afterOf("a.go", go, answer)).toBe(
    go.replace('"fmt"\n', '"fmt"\n\t"os"\n').replace("Println(1)", "Fprintln(os.Stderr, 1)"),
  );
});

test("a member of an object takes the place of its namesake", async () => {
  const before = "export const o = {\n  a(b) {\n    return b;\n  },\n  c: 1,\n};\n";
  const answer = fenced("a(b) {\n  return b + 1;\n},\n");
  expect(await afterOf("a.js", before, answer)).toBe(before.replace("return b", "return b + 1"));
  const list = fenced("a(b) {\n  return [\n    {\n      b,\n    },\n  ];\n},\n");
  const after = "    return [\n      {\n        b,\n      },\n    ];\n";
  expect(await afterOf("a.js", before, list)).toBe(before.replace("    return b;\n", after));
});

test.each([
  "I also check the range, and call the parent:",
  "To reduce memory usage:",
  "Try this:",
  "**Example**",
  "You can use it like this:",
])("a function under %j is a change all the same", async (above) => {
  const before = "function a() {\n  return 1;\n}\n";
  const answer = `${above}\n\n${fenced("function a() {\n  return 2;\n}\n")}`;
  expect(await afterOf("a.js", before, answer)).toBe(before.replace("1", "2"));
});

test.each(["You can test it with:", "Call it like this:", "### Example usage", "**用法：**"])(
  "what stands under %j beside a function is shown and not asked about",
  async (above) => {
    const before = "function a() {\n  return 1;\n}\n";
    const answer = `${fenced("function a() {\n  return 2;\n}\n")}\n${above}\n\n${fenced("check(a());\n")}`;
    const { after, calls, text } = await play("a.js", before, answer);
    expect([after, calls]).toEqual([before.replace("1", "2"), 1]);
    expect(text).toContain("check(a());");
  },
);

const members = ["first", "second", "third"].map(
  (name) => `  ${name}(key) {\n    return this.${name}At(key);\n  }\n`,
);
const storeOf = (own: readonly string[]): string => `class Store {\n${own.join("\n")}}\n`;
const removals = [
  "You can delete this method:",
  "Remove this method, which is not needed any more:",
  "Delete the old method, since nothing calls it:",
  "删除这个方法：",
];

test.each(removals.flatMap((above) => [1, 2].map((nth) => ({ above, nth }))))(
  "a quoted method goes where a sentence orders it, alone and beside a change: $above $nth",
  async ({ above, nth }) => {
    const before = storeOf(members);
    const quoted = `${above}\n\n${fenced(members[nth] ?? "", "js")}`;
    expect(await afterOf("store.js", before, quoted)).toBe(storeOf(members.toSpliced(nth, 1)));
    const other = (nth + 1) % members.length;
    const now = members[other]?.replace("At(key)", "At(key) + 1") ?? "";
    const after = storeOf(members.with(other, now).toSpliced(nth, 1));
    const changed = `Add one:\n\n${fenced(now, "js")}`;
    for (const answer of [`${changed}\n${quoted}`, `${quoted}\n${changed}`])
      expect(await afterOf("store.js", before, answer)).toBe(after);
  },
);

test.each([
  "You could also delete this method:",
  "Don't remove this method:",
  "If nothing calls it, remove this method:",
  "This method is fine:",
])("a quoted method stays under %j, and the change beside it is made", async (above) => {
  const quoted = `${above}\n\n${fenced(members[1] ?? "", "js")}`;
  expect(await afterOf("store.js", storeOf(members), quoted)).toBeUndefined();
  const now = members[0]?.replace("At(key)", "At(key) + 1") ?? "";
  const answer = `${fenced(now, "js")}\n${quoted}`;
  expect(await afterOf("store.js", storeOf(members), answer)).toBe(storeOf(members.with(0, now)));
});

test.each([
  ["Remove this import, which is not needed any more:", false],
  ["You could also remove this import:", true],
])("a quoted import goes or stays: %s", async (above, isKept) => {
  const file = (line: string, value: number): string =>
    `import os\n${line}\n\ndef size(path):\n    return os.size(path) + ${value}\n`;
  const quoted = `${above}\n\n${fenced("import sys\n", "python")}`;
  const [before, gone] = [file("import sys\n", 1), file("", 1)];
  expect(await afterOf("size.py", before, quoted)).toBe(isKept ? undefined : gone);
  const changed = fenced("def size(path):\n    return os.size(path) + 2\n", "python");
  const answer = `${changed}\n${quoted}`;
  expect(await afterOf("size.py", before, answer)).toBe(file(isKept ? "import sys\n" : "", 2));
});

const goOf = (load: string, call: string): string =>
  `package size\n\nimport (\n\t"fmt"\n\t"${load}"\n)\n\nfunc Size(name string) int {\n\tall, _ := ${call}(name)\n\tfmt.Println(name)\n\treturn len(all)\n}\n`;
const pythonOf = (load: string, value: string): string =>
  `import sys\n${load}\n\ndef size(path):\n    return ${value}\n`;

test.each([
  ['Replace `"io/ioutil"` with `"io"` in the imports.', true],
  ['Change `"io/ioutil"` to `"io"` in the import block as well.', true],
  ["This reads all of it with `io.ReadAll`, which replaced `ioutil.ReadFile`.", false],
  ['You could replace `"io/ioutil"` with `"io"`.', false],
])(
  "a line below a block of Go orders something else, or only tells: %s",
  async (below, isOrder) => {
    const [, code = ""] = goOf("io", "io.ReadAll").split(")\n\n");
    const answer = `Read all:\n\n${fenced(code, "go")}\n${below}\n`;
    const before = goOf("io/ioutil", "ioutil.ReadFile");
    const after = goOf(isOrder ? "io" : "io/ioutil", "io.ReadAll");
    expect(await afterOf("size.go", before, answer)).toBe(after);
  },
);

test.each([
  ["Also add `import os` at the top.", true],
  ["Add `import os` to the imports as well.", true],
  ["You may have to add `import os` at the top.", false],
  ["The function now uses `os.stat`, as `import os` is there already.", false],
])("a line below a block of Python adds an import, or only tells: %s", async (below, isOrder) => {
  const [, code = ""] = pythonOf("", "os.stat(path).st_size").split("\n\n\n");
  const answer = `Ask the system:\n\n${fenced(code, "python")}\n${below}\n`;
  const { after } = await play("size.py", pythonOf("", "sys.size(path)"), answer);
  expect(after).toBe(pythonOf(isOrder ? "import os\n" : "", "os.stat(path).st_size"));
});

test.each([
  ["function", "function Get-Size {\n    param($Path)\n    return 2\n}\n"],
  ["line", "$limit = 20\n"],
])("a %s of PowerShell is a change of a script, and commands are not", async (_, now) => {
  const file = (limit: number, size: number): string =>
    `$limit = ${limit}\n\nfunction Get-Size {\n    param($Path)\n    return ${size}\n}\n\nWrite-Output (Get-Size $limit)\n`;
  const after = now.startsWith("$") ? file(20, 1) : file(10, 2);
  const answer = `Change it so:\n\n${fenced(now, "powershell")}`;
  const played = await play("size.ps1", file(10, 1), answer);
  expect([played.after, played.calls]).toEqual([after, 1]);
  const before = "def size(path):\n    return 1\n";
  const commands = `Then run it:\n\n${fenced("pip install size\npython size.py\n", "bash")}`;
  const changed = `${fenced(before.replace("1", "2"), "python")}\n${commands}`;
  expect(await afterOf("size.py", before, changed)).toBe(before.replace("1", "2"));
});

const returned = "function half(n) {\n  return n;\n}\n";
const fresh = "const values = list.map((each) => half(each));\nprint(values);\n";

test.each([
  ["is only offered", "Just for completeness, you could also write the loop so:", true],
  ["is an example of use", "**Example use case:**", true],
  ["is asked for", "In the loop, `values` has no type:", false],
  ["is told to come beside it", "Add this below the function:", false],
  ["uses it under a name of the change alone", "Where `half` comes in:", true],
  ["uses it under a sentence that names nothing", "Now each value is a half of what it was:", true],
])("code of something else that %s beside a change", async (_, above, isLeftOut) => {
  const now = returned.replace("n;", "n / 2;");
  const answer = `Fixed:\n\n${fenced(now, "js")}\n\n${above}\n\n${fenced(fresh, "js")}`;
  expect((await play("half.js", returned, answer)).after).toBe(isLeftOut ? now : undefined);
});

const shop =
  'import a from "a";\nimport c from "c";\n\nexport function total(all) {\n  let sum = 1;\n  return sum + a(all);\n}\n\nexport function rest() {\n  return c();\n}\n';
const fixed = shop.replace("let sum = 1;", "let sum = b;");
const one = fenced(
  "export function total(all) {\n  let sum = b;\n  return sum + a(all);\n}\n",
  "ts",
);
const pair = `Before:\n\n${fenced("  let sum = 1;\n", "ts")}\n\nAfter:\n\n${fenced("  let sum = b;\n", "ts")}`;
const imports = fenced('import a from "a";\nimport b from "b";\nimport c from "c";\n', "ts");
const withImport = fixed.replace("import c", 'import b from "b";\nimport c');

test.each([
  ["imports beside a pair", `${pair}\n\nYou also need to import it:\n\n${imports}`, withImport],
  [
    "an order beside a pair",
    `${pair}\n\nChange \`return c()\` to \`return c(1)\` as well.`,
    fixed.replace("c()", "c(1)"),
  ],
  ["the old lines before a pair", `${fenced("  let sum = 1;\n", "ts")}\n\n${pair}`, fixed],
  [
    "code of a caller",
    `${one}\n\nCallers have to pass a list:\n\n${fenced('import { total } from "./shop";\nshow(total([1, 2]));\n', "ts")}`,
    fixed,
  ],
  ["what was printed", `${fenced("TypeError: total is not a number\n", "")}\n\n${one}`, fixed],
  ["a piece of a line", `This is wrong:\n\n${fenced("sum + a(all)\n", "ts")}\n\n${one}`, fixed],
  [
    "a line that is to go",
    `${one}\n\nThis is not needed:\n\n${fenced('import c from "c"; // remove this line\n', "ts")}`,
    fixed.replace('import c from "c";\n', ""),
  ],
])("code or words beside a change count for what they are: %s", async (_, answer, after) => {
  expect(await afterOf("shop.ts", shop, answer)).toBe(after);
});

test("edits of a file of this name in another folder are for it where most of what they quote is there, and for none else", async () => {
  const unit = (search: string, replace: string): string =>
    `src/made/up/shop.ts\n\n${fenced(`<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`, "ts")}`;
  const quoted = "export function rest() {\n  return c()\n}\n";
  expect(await afterOf("src/shop.ts", shop, unit(quoted, quoted.replace("c()", "c(1);")))).toBe(
    shop.replace("c()", "c(1)"),
  );
  const other = "export function none() {\n  return d();\n}\n";
  expect(await afterOf("src/shop.ts", shop, unit(other, "d();\n"))).toBeUndefined();
});
