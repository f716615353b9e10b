// Words that mean lines without a name for them: what is in a function, a loop, a block, a call, the last line, two of these.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

/** In each language the same function, with names of its own, between others of the same statements. */
const languages = [
  {
    path: "src/shop.ts",
    tab: "  ",
    head: (name: string) => `export function ${name}(list: Item[], at: number): number {`,
    lines: (name: string) => [
      `const ${name}Found = pick(list, at);`,
      "let sum = 0;",
      "for (const one of list) {",
      "  sum += one.size;",
      "}",
      `return sum + ${name}Found;`,
    ],
    end: "}",
    fresh: (name: string) => `report(${name}, 7);`,
  },
  {
    path: "shop.py",
    tab: "    ",
    head: (name: string) => `def ${name}(items, at):`,
    lines: (name: string) => [
      `${name}_found = pick(items, at)`,
      "total = 0",
      "for one in items:",
      "    total += one.size",
      `return total + ${name}_found`,
    ],
    end: "",
    fresh: (name: string) => `report(${name}, 7)`,
  },
  {
    path: "shop.kt",
    tab: "    ",
    head: (name: string) => `fun ${name}(list: List<Item>, at: Int): Int {`,
    lines: (name: string) => [
      `val ${name}Found = pick(list, at)`,
      "var sum = 0",
      "for (one in list) {",
      "    sum += one.size",
      "}",
      `return sum + ${name}Found`,
    ],
    end: "}",
    fresh: (name: string) => `report(${name}, 7)`,
  },
];
type Language = (typeof languages)[number];
const names = ["first", "second", "third"];
const body = ({ tab, lines }: Language, name: string): string[] =>
  lines(name).map((line) => tab + line);
const fileOf = (language: Language, bodies: readonly (readonly string[])[]): string =>
  names
    .map((name, nth) => {
      const end = language.end === "" ? [] : [language.end];
      return [language.head(name), ...(bodies[nth] ?? []), ...end].join("\n");
    })
    .join("\n\n\n") + "\n";

/** What is said, and where the line comes in, or what it takes the place of: [from, how many] of the body, -n from its end. */
const told: readonly (readonly [string, number, number])[] = [
  ["Add this at the start of the function body of `@`:", 0, 0],
  ["`@` has to report. Insert the following at the beginning of the function body:", 0, 0],
  ["In `@`, add this after the `pick(...)` call:", 1, 0],
  ["In `@`, add this after the call to `pick`:", 1, 0],
  ["In `@`, add this before the loop:", 2, 0],
  ["In `@`, add this just before the `return`:", -1, 0],
  ["After the loop, before the `return` in `@`, add:", -1, 0],
  ["Put this between the loop and the `return` in `@`:", -1, 0],
  ["In `@`, replace the loop with:", 2, Number.NaN],
  ["In `@`, replace the whole `for` loop by:", 2, Number.NaN],
  ["在 `@` 的开头加上：", 0, 0],
  ["`@` 没有记录。在函数体开头加入：", 0, 0],
  ["在 `@` 的循环之前加上：", 2, 0],
  ["在 `@` 的 `return` 之前加上：", -1, 0],
  ["在 `@` 中，循环之后、`return` 之前加上：", -1, 0],
  ["把 `@` 中的循环替换为：", 2, Number.NaN],
  ["`@` has to report. Do that in the first statement of the function:", 0, 0],
  ["In `@`, add this after the pick:", 1, 0],
  ["In `@`, replace the first two statements with:", 0, 2],
  ["In `@` it is told when it ends (just before the `return`):", -1, 0],
  ["用下面这一行代替 `@` 的前两行：", 0, 2],
  ["在 `@` 的 `return` 的上一行加上：", -1, 0],
];

test("a line comes where words without a name put it, in the function that they name and in no other one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...languages),
      fc.constantFrom(...told),
      fc.nat({ max: 2 }),
      fc.boolean(),
      async (language, [sentence, at, gone], nth, isDeep) => {
        const name = names[nth] ?? "";
        const bodies = names.map((one) => body(language, one));
        const own = bodies[nth] ?? [];
        const fresh = language.fresh(name);
        const loop = own.length - 3;
        const after = own.toSpliced(at, Number.isNaN(gone) ? loop : gone, language.tab + fresh);
        const answer = `${sentence.replace("@", name)}\n\n${fenced(`${isDeep ? language.tab : ""}${fresh}\n`)}`;
        const { after: made } = await play(language.path, fileOf(language, bodies), answer);
        expect(made).toBe(fileOf(language, bodies.with(nth, after)));
      },
    ),
    { numRuns: cases(60) },
  );
});

/** What a line sets, how a sentence that puts code behind it calls that, and the line itself. */
const setting: readonly (readonly [string, string, string])[] = [
  ["tail", "move.c", "    queue->tail = next(queue);"],
  ["limit", "shop.py", "    self.limit = 5"],
  ["file", "read.c", "    FILE *file = open(path);"],
  ["rows", "rows.go", "    rows := query(name)"],
  ["port", "run.js", "    options.server.port = 80;"],
  ["path", "Job.cs", "    private readonly List<string> path;"],
];
const saying = [
  "Right after `@` is set, add:",
  "Add this after the declaration of `@`:",
  "`other` has no check. After `@`, insert:",
  "在移动 `@` 之后加上：",
];

test("a line is told by the last part of what it sets, in the lines that are meant", async () => {
  for (const [name, path, line] of setting)
    for (const sentence of saying) {
      const part = (own: string): string => `begin ${own}\n${line}\n    go(${own});\nfinish\n`;
      const file = part("one") + part("two");
      const code = "    check();";
      const answer = `${sentence.replace("@", name)}\n\n${fenced(`${code}\n`)}`;
      const { after } = await play(path, file, answer, { lines: [5, 8] });
      expect(after).toBe(part("one") + part("two").replace(line, `${line}\n${code}`));
    }
});

test("what is selected is meant where words name nothing; what fits several places is refused", async () => {
  for (const language of languages) {
    const bodies = names.map((one) => body(language, one));
    const before = fileOf(language, bodies);
    const start = before.split("\n").indexOf(language.head("second")) + 1;
    const lines = [
      start,
      start + (bodies[1]?.length ?? 0) + (language.end === "" ? 0 : 1),
    ] as const;
    const answer = `Insert this before the loop:\n\n${fenced(`${language.fresh("second")}\n`)}`;
    const own = (bodies[1] ?? []).toSpliced(2, 0, language.tab + language.fresh("second"));
    const { after } = await play(language.path, before, answer, { lines });
    expect(after).toBe(fileOf(language, bodies.with(1, own)));
    expect((await play(language.path, before, answer)).after).toBeUndefined();
  }
});

test("the body, the last line, and from one line to another are replaced; a line that sets the same is, in its section", async () => {
  const [language = languages[0]] = languages;
  if (language === undefined) throw new Error("no language");
  const bodies = names.map((one) => body(language, one));
  const before = fileOf(language, bodies);
  const own = bodies[1] ?? [];
  const now = "  return tally(list, at);";
  const sayings: readonly (readonly [string, string[]])[] = [
    ["Body of `second`:", [now]],
    ["The `second` function can be shorter. Replace the body with:", [now]],
    ["In `second`, replace the lines from `let sum` to `return sum` with:", [own[0] ?? "", now]],
  ];
  for (const [sentence, after] of sayings) {
    const { after: made } = await play(
      language.path,
      before,
      `${sentence}\n\n${fenced(`${now}\n`, "ts")}`,
    );
    expect(made).toBe(fileOf(language, bodies.with(1, after)));
  }
  const settings = "[web]\nport = 80\nhost = a\n\n[db]\nport = 90\nhost = b\n";
  const answer = `In the \`[db]\` section set:\n\n${fenced("port = 91\n", "ini")}`;
  expect((await play("app.ini", settings, answer)).after).toBe(settings.replace("90", "91"));
  const empty = "function run() {\n  try {\n    go();\n  } catch (error) {\n  }\n}\n";
  const caught = `Add this in \`catch (error) {\`:\n\n${fenced("    log(error);\n", "js")}`;
  const full = empty.replace("{\n  }\n}", "{\n    log(error);\n  }\n}");
  expect((await play("run.js", empty, caught)).after).toBe(full);
});

test("code is a new version of the one line like it in what words name, or of none", async () => {
  const file = (first: string, second: string): string =>
    `func one() error {\n\t${first}\n\treturn nil\n}\n\nfunc two() error {\n\t${second}\n\treturn nil\n}\n`;
  const old = 'resp := send("/one", limit)';
  const now = 'resp := send("/one", limit, time.Second)';
  const at = (name: string, code = now): string =>
    `The request never ends. In \`${name}\`:\n\n${fenced(`\t${code}\n`, "go")}`;
  const before = file(old, 'data := load("/two")');
  expect((await play("a.go", before, at("one"))).after).toBe(before.replace(old, now));
  expect((await play("a.go", before, at("two", "stop(ctx, req)"))).after).toBeUndefined();
  // What is like a line of another function only is not meant for that one, by name or by selection.
  expect((await play("a.go", before, at("two"))).after).toBeUndefined();
  const selected = `Use a limit:\n\n${fenced(`\t${now}\n`, "go")}`;
  expect((await play("a.go", before, selected, { lines: [6, 9] })).after).toBeUndefined();
  expect((await play("a.go", before, selected, { lines: [1, 4] })).after).toBe(
    before.replace(old, now),
  );
  const never = `In \`one\`, add this after \`return nil\`:\n\n${fenced("\tlog.Println(resp)\n", "go")}`;
  expect((await play("a.go", before, never)).after).toBeUndefined();
  const ruby = "def one(list)\n  return 0 if list.empty?\n  list.sum\nend\n";
  const some = `In \`one\`, add this after \`return 0 if list.empty?\`:\n\n${fenced("  log(list, 1)\n", "ruby")}`;
  const logged = ruby.replace("empty?\n", "empty?\n  log(list, 1)\n");
  expect((await play("a.rb", ruby, some)).after).toBe(logged);
});
