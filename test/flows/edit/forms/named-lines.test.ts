// Code for what a sentence names: a few lines inside of it, all of it anew, or a block around lines of it.
import { describe, expect, test } from "vitest";
import { fenced, play } from "./play.ts";

const names = ["first", "second", "third"];

interface Kind {
  path: string;
  /** What has a name, with a line that all of them have but for the value. */
  print: (name: string, value: string) => string;
  /** That line, as a fragment. */
  line: (value: string) => string;
  /** How a sentence quotes the name. */
  quote: (name: string) => string;
  around?: (parts: string) => string;
}

const lowerCase = (name: string): string => `\`${name}\``;
const kinds: Readonly<Record<string, Kind>> = {
  TypeScript: {
    path: "src/a.ts",
    print: (name, value) =>
      `function ${name}(key) {\n  const at = find(key, ${value});\n  return at;\n}\n`,
    line: (value) => `  const at = find(key, ${value});\n`,
    quote: (name) => `\`${name}()\``,
  },
  Python: {
    path: "src/a.py",
    print: (name, value) => `def ${name}(key):\n    at = find(key, ${value})\n    return at\n\n`,
    line: (value) => `    at = find(key, ${value})\n`,
    quote: lowerCase,
  },
  Elixir: {
    path: "src/a.ex",
    print: (name, value) => `  def ${name}(key) do\n    find(key, ${value})\n  end\n\n`,
    line: (value) => `    find(key, ${value})\n`,
    quote: (name) => `\`${name}/1\``,
    around: (parts) => `defmodule Store do\n${parts}end\n`,
  },
  YAML: {
    path: "src/a.yml",
    print: (name, value) => `  ${name}:\n    image: shop\n    timeout: ${value}\n`,
    line: (value) => `    timeout: ${value}\n`,
    quote: lowerCase,
    around: (parts) => `services:\n${parts}`,
  },
  TOML: {
    path: "src/a.toml",
    print: (name, value) => `[${name}]\nhost = "db"\ntimeout = ${value}\n\n`,
    line: (value) => `timeout = ${value}\n`,
    quote: (name) => `\`[${name}]\``,
  },
  SCSS: {
    path: "src/a.scss",
    print: (name, value) => `.${name} {\n  color: red;\n  width: ${value}px;\n}\n\n`,
    line: (value) => `  width: ${value}px;\n`,
    quote: (name) => `\`.${name}\``,
  },
  routes: {
    path: "src/a.js",
    print: (name, value) =>
      `router.get('/${name}', async (req, res) => {\n  const all = await load(${value});\n  res.json(all);\n});\n\n`,
    line: (value) => `  const all = await load(${value});\n`,
    quote: (name) => `\`GET /${name}\``,
  },
  nginx: {
    path: "src/nginx.conf",
    print: (name, value) =>
      `    location /${name} {\n        proxy_read_timeout ${value};\n    }\n\n`,
    line: (value) => `        proxy_read_timeout ${value};\n`,
    quote: (name) => `\`/${name}\``,
    around: (parts) => `server {\n${parts}}\n`,
  },
};
const sentences = [
  "NAME waits too long. Use this instead:",
  "In NAME, change the value to:",
  "The value is wrong. In NAME, as in `other`, it should be:",
  "NAME 中的值应改为：",
];

describe.each(Object.entries(kinds))(
  "lines of %s are those of what the sentence names",
  (_, kind) => {
    const { path, print, line, quote, around = (parts: string) => parts } = kind;
    const fileOf = (values: readonly string[]): string =>
      around(values.map((value, nth) => print(names[nth] ?? "", value)).join(""));
    const old = ["30", "30", "30"];

    test.each(sentences)("%s", async (sentence) => {
      for (const [nth, name] of names.entries()) {
        const answer = `${sentence.replace("NAME", quote(name))}\n\n${fenced(line("5"))}`;
        const { after, calls } = await play(path, fileOf(old), answer);
        expect([after, calls]).toEqual([fileOf(old.with(nth, "5")), 1]);
      }
    });

    test("of several places none is taken where nothing is named", async () => {
      const answer = `The value is too high:\n\n${fenced(line("5"))}`;
      expect((await play(path, fileOf(old), answer)).after).toBeUndefined();
    });
  },
);

const wholes = {
  "a target of Make": {
    path: "Makefile",
    quote: "`second`",
    old: "second:\n\tcd app\n\tnpm test\n",
    now: "second: build\n\tcd app && npm ci\n",
  },
  "an element of HTML": {
    path: "src/a.html",
    quote: "`<form>`",
    old: '<form action="/a" method="get">\n  <input name="one">\n  <button>Go</button>\n</form>\n',
    now: '<form action="/a" method="post">\n  <label for="two">Two</label>\n  <textarea id="two"></textarea>\n</form>\n',
  },
  "a setting that becomes a function": {
    path: "src/a.js",
    quote: "`data`",
    old: "const data = {\n  draft: '',\n  filter: 'all',\n};\n",
    now: "const data = () => ({\n  todos: [],\n  isOpen: false,\n});\n",
  },
  "an import with fewer names": {
    path: "src/a.js",
    quote: "import",
    old: "import { one, two, three } from './all.js';\n",
    now: "import { one, three } from './all.js';\n",
  },
};

test.each(Object.entries(wholes))(
  "%s that has another body takes the place of the one that the sentence names",
  async (_, { path, quote, old, now }) => {
    const [above, below] =
      path === "Makefile" ? ["first:\n\techo 1\n\n", "\nthird:\n\techo 3\n"] : ["", ""];
    for (const sentence of [`The ${quote} should become:`, `Replace the whole ${quote} with:`]) {
      const { after } = await play(path, above + old + below, `${sentence}\n\n${fenced(now)}`);
      expect([sentence, after]).toEqual([sentence, above + now + below]);
    }
  },
);

test("a function with other parameters is not a new version of the selected one", async () => {
  const before =
    "function first(a, b) {\n  return a + b;\n}\n\nfunction other() {\n  return 1;\n}\n";
  const now = "function first(list) {\n  return list.reduce(sum, 0);\n}\n";
  const answer = `Take a list:\n\n${fenced(now, "js")}`;
  expect((await play("a.js", before, answer, { lines: [1, 3] })).after).toBeUndefined();
});

const wraps = {
  braces: {
    path: "src/a.js",
    file: (body: string) => `function save(item) {\n  check(item);\n${body}  return true;\n}\n`,
    body: "  const row = toRow(item);\n  insert(row);\n",
    block:
      "  try {\n    const row = toRow(item);\n    insert(row);\n  } catch (error) {\n    report(error);\n  }\n",
  },
  Python: {
    path: "src/a.py",
    file: (body: string) => `def save(item):\n    check(item)\n${body}    return True\n`,
    body: "    row = to_row(item)\n    insert(row)\n",
    block: "    with lock:\n        row = to_row(item)\n        insert(row)\n",
  },
};

test.each(Object.entries(wraps))(
  "a block around lines of the file takes their place, as deep as they are: %s",
  async (_, { path, file, body, block }) => {
    const dedented = block
      .split("\n")
      .map((line) => line.slice(body.search(/\S/)))
      .join("\n");
    for (const shown of [block, dedented]) {
      const { after } = await play(path, file(body), `Wrap the two lines:\n\n${fenced(shown)}`);
      expect(after).toBe(file(block));
    }
  },
);
