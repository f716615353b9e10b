// What an answer takes back, leaves to a choice, or says of a place: nothing else is made of it.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

const path = "src/shop.js";
const before = `import { a } from './a.js';
import { b } from './b.js';

function first(list) {
  let sum = 0;
  for (const one of list) {
    sum += a(one);
  }
  if (sum > 100) {
    log(sum);
  }
  return sum;
}

function second(list) {
  first(list);
  if (sum > 100) {
    log(b(list));
  }
  return list.length;
}
`;
const afterOf = async (answer: string, file = path, text = before): Promise<string | undefined> =>
  (await play(file, text, answer)).after;
const change = fenced("  return sum + 1;\n", "js");
const unit = "<<<<<<< SEARCH\n  return sum;\n=======\n  return sum + 1;\n>>>>>>> REPLACE\n";
const changed = before.replace("return sum;", "return sum + 1;");

describe("an answer that takes itself back at its end changes nothing, in whatever form it is", () => {
  const forms = fc.constantFrom(
    `In \`first\`, the last line has to be:\n\n${change}`,
    `One too few:\n\n${unit}`,
    "In `first`, change `return sum;` to `return sum + 1;`.\n",
  );
  const words = fc.constantFrom(
    "On second thought, don't apply this: callers rely on it.",
    "Actually no: leave `first` exactly as it is.",
    "On reflection, keep it as it is.",
    "Please disregard the above.",
    "However, `first` must keep its present value. Do not change this line.",
    "Hold on, it is correct and needs no modification.",
    "不过，这个函数不需要修改。",
    "仔细一想，请忽略上述修改。",
    "Wait, the sum is right. No change is needed.",
    "Hmm, on that path it must not be changed.",
    "等一下，重新检查之后代码是对的，不需要任何修改。",
    "Or keep it as it was. Tell me which one you prefer.",
  );
  test("and without these words it changes what it says", async () => {
    await fc.assert(
      fc.asyncProperty(forms, words, async (form, last) => {
        expect(await afterOf(`${form}\n${last}\n`)).toBeUndefined();
        expect(await afterOf(`${form}\nThat is all.\n`)).toBe(changed);
        expect(await afterOf(`${form}\nHowever, leave the rest as it is.\n`)).toBe(changed);
        // What comes behind them counts.
        expect(await afterOf(`Scratch that first idea.\n\n${form}`)).toBe(changed);
      }),
      { numRuns: cases(15) },
    );
  });
});

test("what an item of a list asks for is not met by the same line of another block", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^[a-z]{3}$/),
      fc.integer({ min: 3, max: 90 }),
      async (name, most) => {
        const loop = (sign: string): string =>
          `  for (let nth = 0; nth ${sign} ${most}; nth += 1) {\n    all.push(x${name});\n  }\n`;
        const text = (value: string, sign: string): string =>
          `function one() {\n  let x${name} = ${value};\n${loop("<")}}\n\nfunction two() {\n${loop(sign)}}\n`;
        const answer = `1. In \`one\`, change \`x${name} = 1\` to \`x${name} = 2\`.\n2. \`two\` runs once too often; it should be \`for (let nth = 0; nth < ${most}; nth += 1) {\`\n`;
        expect([undefined, text("2", "<")]).toContain(await afterOf(answer, path, text("1", "<=")));
      },
    ),
    { numRuns: cases(5) },
  );
});

test("from one thing, to another: no span where words are between them", async () => {
  const head = '  <script src="a.js"></script>\n';
  const rest = Array.from({ length: 9 }, (_, nth) => `  <p>${nth}</p>\n`).join("");
  const page = `<html>\n<head>\n${head}</head>\n<body>\n${rest}</body>\n</html>\n`;
  const code = fenced(`${head}</body>\n`, "html");
  const moved = page.replace(head, "").replace("</body>", `${head}</body>`);
  for (const said of [
    '把 `<script src="a.js"></script>` 从 `<head>` 中删除,移到 `</body>` 之前:',
    "Take it from `<head>` and move it to right before `</body>`:",
  ])
    expect([undefined, moved]).toContain(await afterOf(`${said}\n\n${code}`, "a.html", page));
});

test("options in different forms are never made together", async () => {
  const whole = fenced(
    "function second(list) {\n  // ... existing code ...\n  return 0;\n}\n",
    "js",
  );
  const answer = `**Option A: count**\n\n${change}\n**Option B: nothing**\n\n${whole}\nWhich one do you prefer?\n`;
  expect(await afterOf(answer)).toBeUndefined();
});

test("one line takes the place of both that are the same, where the words say so, and of no third one", async () => {
  const line = fenced("  if (sum >= 100) {\n", "js");
  const both = before.replaceAll("sum > 100", "sum >= 100");
  for (const said of ["`first` and `second` both need it:", "两处都改成:"])
    expect(await afterOf(`${said}\n\n${line}`)).toBe(both);
  const three = `${before}\nif (sum > 100) {\n  log(0);\n}\n`;
  expect(await afterOf(`Both need it:\n\n${line}`, path, three)).toBeUndefined();
});

test("code beside what a sentence quotes comes there, or nothing is made of it", async () => {
  const yaml =
    "a:\n  image: x:1\n  command: [run]\n  ports: [1]\n\nb:\n  image: y:2\n  ports: [2]\n";
  const code = fenced('  command: ["serve", "--most", "9"]\n', "yaml");
  const after = await afterOf(`Under \`b\`, below \`image: y:2\`, add:\n\n${code}`, "c.yml", yaml);
  expect([
    undefined,
    yaml.replace("y:2\n", 'y:2\n  command: ["serve", "--most", "9"]\n'),
  ]).toContain(after);
  // A name in code that is quoted orders nothing.
  const imported = fenced("import { replace } from './c.js';\n", "js");
  const told = "`c.replace` needs one more import, right below `import { b } from './b.js';`:";
  const made = await afterOf(`${told}\n\n${imported}`);
  expect(made?.split("\n").toSorted()).toEqual(
    [...before.split("\n"), "import { replace } from './c.js';"].toSorted(),
  );
});

test("a function comes behind the one that is named, also where that is called in what was told of before", async () => {
  const own = "function third() {\n  return first([]);\n}\n";
  const answer = `\`second\` reads the sum twice. Insert this function right after \`first\`:\n\n${fenced(own, "js")}`;
  expect(await afterOf(answer)).toBe(
    before.replace("  return sum;\n}\n", `  return sum;\n}\n\n${own}`),
  );
});

test("lines with the numbers that they have in the file come there", async () => {
  const text = before.split("\n");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 20 }),
      fc.constantFrom(": ", " | ", "  "),
      async (at, sign) => {
        const was = text[at - 1] ?? "";
        fc.pre(/\w+\(/.test(was) && !was.includes("function"));
        const now = was.replace(/(\w+)\(/, "$1.all(");
        const listing = `${at}${sign}${now}\n`;
        expect(await afterOf(`Line ${at} should be:\n\n${fenced(listing, "js")}`)).toBe(
          text.with(at - 1, now).join("\n"),
        );
      },
    ),
    { numRuns: cases(15) },
  );
});

test("a line that a sentence orders to remove besides goes, or nothing is changed", async () => {
  const code = fenced("  return list.size;\n", "js");
  for (const said of [
    "Also remove `import { a } from './a.js';`.",
    "另外 `import { a } from './a.js';` 没有被使用，请删除这一行。",
    "The build fails on unused names, so also remove `import { a } from './a.js';` at the top.",
  ]) {
    const after = await afterOf(`In \`second\`, the last line should be:\n\n${code}\n${said}\n`);
    expect([said, after?.includes("./a.js") ?? false]).toEqual([said, false]);
  }
});

test('what stands under "and" goes with what stands above', async () => {
  const text = "int one;\nint two;\nint three;\nint four;\n";
  for (const [said, and] of [
    ["Remove this line:", "(nobody reads it) and"],
    ["文件里有两处没有用到的内容，可以直接删掉：", "（从未使用）以及"],
  ]) {
    const answer = `${said}\n\n${fenced("int two;\n", "c")}\n${and}\n\n${fenced("int four;\n", "c")}\n`;
    expect(await afterOf(answer, "a.c", text)).toBe("int one;\nint three;\n");
  }
});

test("a line with something put in is that line, though another one is more like it", async () => {
  const text =
    "function f(list) {\n  let sum = ZERO;\n  for (const one of list) {\n    sum.add(one.price.times(one.count));\n  }\n  if (sum < LIMIT) {\n    sum = sum.add(SHIPPING);\n  }\n  return sum;\n}\n";
  const line = fenced("sum = sum.add(one.price.times(one.count));\n", "js");
  expect(
    await afterOf(
      `The result of \`sum.add(...)\` is lost. The line in the loop has to be:\n\n${line}`,
      path,
      text,
    ),
  ).toBe(text.replace("    sum.add(", "    sum = sum.add("));
});

test("a path of keys leads to its lines, in settings, tables and resources, wherever else its last key stands", async () => {
  const name = fc.stringMatching(/^[a-z]{4,7}$/);
  const names = fc.uniqueArray(name, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(names, fc.nat(2), async ([top = "", key = "", other = "", ...rest], nth) => {
      const sections = [rest[0] ?? "", "xenon", "yttrium"];
      const yaml = `${top}:\n${sections.map((one) => `  ${one}:\n    ${key}: 1\n    ${other}: [2]\n`).join("\n")}`;
      const line = `    ${key}: 3\n`;
      const keys = `${top}.${sections[nth]}`;
      const after = yaml
        .split(`    ${key}: 1\n`)
        .map((part, at) => (at === 0 ? part : (at === nth + 1 ? line : `    ${key}: 1\n`) + part))
        .join("");
      for (const said of [
        `\`${keys}.${key}\` is too small:`,
        `In \`${keys}\`, \`${key}\` must be:`,
      ])
        expect(await afterOf(`${said}\n\n${fenced(line, "yaml")}`, "c.yml", yaml)).toBe(after);
      const added = `    extra: 4\n`;
      const beside = yaml
        .split(`    ${key}: 1\n`)
        .map((part, at) =>
          at === 0 ? part : `    ${key}: 1\n${at === nth + 1 ? added : ""}${part}`,
        )
        .join("");
      const told = `Under \`${keys}\`, add this after \`${key}\`:\n\n${fenced(added, "yaml")}`;
      expect(await afterOf(told, "c.yml", yaml)).toBe(beside);
    }),
    { numRuns: cases(8) },
  );
  const sql =
    "CREATE TABLE users (\n    id INT,\n    name TEXT\n);\n\nCREATE TABLE orders (\n    id INT,\n    name TEXT NOT NULL\n);\n";
  const column = fenced("    name TEXT NOT NULL,\n", "sql");
  expect(
    await afterOf(
      `\`users.name\` must not be empty:\n\n${column.replace("NULL,", "NULL")}`,
      "a.sql",
      sql,
    ),
  ).toBe(sql.replace("name TEXT\n", "name TEXT NOT NULL\n"));
});

test('a list whose second item begins with "or" offers its items, and makes none of them', async () => {
  const [one, other] = [fenced("  let sum = 1;\n", "js"), fenced("  return list.size;\n", "js")];
  for (const or of [
    "2. Or leave the sum alone, and count differently:",
    "- Or in `second`:",
    "2. 或者修改 `second`：",
  ]) {
    const { after } = await play(
      path,
      before,
      `There are two ways:\n\n1. Begin with one:\n\n${one}\n${or}\n\n${other}`,
    );
    expect(after).toBeUndefined();
  }
  const both = await afterOf(
    `Two changes:\n\n1. Begin with one:\n\n${one}\n2. In \`second\`, the last line:\n\n${other}`,
  );
  expect(both).toBe(before.replace("sum = 0", "sum = 1").replace("list.length", "list.size"));
});

describe("a question which of several is meant", () => {
  const blocks = ["1", "2"].map(
    (n) => `${n}. Add ${n}:\n\n${fenced(`  return sum + ${n};\n`, "js")}`,
  );
  const asked = fc.constantFrom(
    "Which of the two do you prefer?",
    "Tell me which one you want.",
    "你想用哪一种？",
    "请选择其中一种。",
  );
  test("offers each, whatever leads to them", async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (question) => {
        const answer = `In \`first\`, there are two ways:\n\n${blocks.join("\n")}\n${question}\n`;
        expect(await afterOf(answer)).toBeUndefined();
      }),
      { numRuns: cases(4) },
    );
  });
});

test("an import that a sentence says to remove is removed, in whatever words", async () => {
  const text =
    "import java.util.HashMap;\nimport java.util.Map;\n\nclass A {\n  int a() {\n    return 1;\n  }\n}\n";
  const method = fenced("  int a() {\n    return 2;\n  }\n", "java");
  const line = "import java.util.HashMap;";
  const words = fc.constantFrom(
    "Also remove the import of `java.util.HashMap`, it's no longer used.",
    `\`${line}\` is unused now; remove it as well.`,
    `另外，请删除文件开头没有用到的 \`${line}\`。`,
    `请把 \`${line}\` 删除。`,
  );
  const made = text.replace("return 1", "return 2");
  await fc.assert(
    fc.asyncProperty(words, async (told) => {
      expect(await afterOf(`New \`a\`:\n\n${method}\n${told}\n`, "src/A.java", text)).toBe(
        made.replace(`${line}\n`, ""),
      );
      const kept = "The import of `java.util.HashMap` is not touched.";
      expect(await afterOf(`New \`a\`:\n\n${method}\n${kept}\n`, "src/A.java", text)).toBe(made);
    }),
    { numRuns: cases(5) },
  );
});

describe("lines that are in the block already", () => {
  const name = fc.stringMatching(/^[a-z]{4,8}$/);
  const distinct = fc.uniqueArray(name, { minLength: 4, maxLength: 4 });
  const top = "FROM node\nWORKDIR /app\nRUN npm ci\n\n";
  const end = "\nHEALTHCHECK CMD curl localhost\n\nENTRYPOINT start\n";
  test("do not come twice, and where code moves they go from where they were", async () => {
    await fc.assert(
      fc.asyncProperty(distinct, async ([a = "", b = "", c = "", d = ""]) => {
        const [copies, env] = [
          `COPY ${a} ./${a}\nCOPY ${b} ./${b}\n`,
          `ENV ${c.toUpperCase()}=1\nENV ${d.toUpperCase()}=2\n`,
        ];
        const file = `${top}${copies}\n${env}\nEXPOSE 3000\n${end}`;
        const code = fenced(`${env}\n${copies}\nEXPOSE 3000\n`, "dockerfile");
        const moved = `${top}${env}\n${copies}\nEXPOSE 3000\n${end}`;
        expect(await afterOf(`Move the \`ENV\` lines up:\n\n${code}`, "Dockerfile", file)).toBe(
          moved,
        );
        expect([undefined, moved]).toContain(
          await afterOf(`This is faster:\n\n${code}`, "Dockerfile", file),
        );
      }),
      { numRuns: cases(6) },
    );
  });
});

test("what comes as the first line of a function comes into that", async () => {
  const guard = fenced("if (!list) return 0;\n", "js");
  const words = fc.constantFrom(
    "Put this as the first line of `second`:",
    "Without a list, `second` fails. Put this as the first line of `second`:",
    "This fails for nothing, so add this as the first line of `second`:",
  );
  const head = "function second(list) {\n";
  await fc.assert(
    fc.asyncProperty(words, async (above) => {
      const made = before.replace(head, `${head}  if (!list) return 0;\n`);
      expect(await afterOf(`${above}\n\n${guard}`)).toBe(made);
    }),
    { numRuns: cases(3) },
  );
});

test("a table of old and new values is made as a whole, or not at all", async () => {
  const heads = fc.constantFrom(
    "| Line | Current | Corrected |",
    "| 行 | 原值 | 新值 |",
    "| # | Wrong | Right |",
  );
  const rows = [
    "| 5 | `let sum = 0;` | `let sum = 0.0;` |",
    "| 19 | `list.length` | `list.size` |",
  ];
  const made = before
    .replaceAll("let sum = 0;", "let sum = 0.0;")
    .replace("list.length", "list.size");
  await fc.assert(
    fc.asyncProperty(heads, async (head) => {
      const answer = `Two slips:\n\n${head}\n|---|---|---|\n${rows.join("\n")}\n`;
      expect([undefined, made]).toContain(await afterOf(answer));
    }),
    { numRuns: cases(3) },
  );
});

test("a doc comment that begins with what it does is not taken for a note of a change", async () => {
  const docs = fc.constantFrom(
    "Updates the sum.",
    "Changes nothing.",
    "修改总和。",
    "放弃修改并退出。",
    "更新列表。",
  );
  await fc.assert(
    fc.asyncProperty(docs, fc.constantFrom("/** ", "/// "), async (doc, sign) => {
      const comment = `${sign}${doc}${sign === "/** " ? " */" : ""}\n`;
      const head = "function second(list) {\n";
      const made = before.replace(head, comment + head);
      const shown = made.slice(made.indexOf(comment));
      expect(await afterOf(fenced(shown, "js"))).toBe(made);
    }),
    { numRuns: cases(5) },
  );
});

test("two parts of a line change at once, in any order, and each is found apart from others", async () => {
  const part = fc.constantFrom(
    ["low >= 0", "low > 0"],
    ["low", "least"],
    ["high <= limit", "high < limit"],
    ["<=", "<"],
    ["Math.max(low, 1)", "Math.max(low, 2)"],
  );
  const text = "function isIn(low, high) {\n  return low >= 0 && high <= limit;\n}\n";
  const more =
    "\nfunction other(all) {\n  return all.map((one) => Math.abs(Math.max(one, 1)));\n}\n";
  await fc.assert(
    fc.asyncProperty(part, part, async ([old = "", now = ""], [second = "", next = ""]) => {
      const line = text.split("\n")[1] ?? "";
      const [from, to] = [line.indexOf(old), line.indexOf(second)];
      const isOne = [old, second].every((one) => line.split(one).length === 2);
      fc.pre(isOne && (from + old.length < to || to + second.length < from));
      const answer = `In \`isIn\`, change \`${old}\` to \`${now}\` and \`${second}\` to \`${next}\`.`;
      const { after } = await play("src/a.js", text + more, `${answer}\n`);
      const made = line.replace(old, now).replace(second, next);
      // Another name may be meant wherever it is.
      if (old !== "low" && second !== "low") expect(after).toBe(text.replace(line, made) + more);
      else expect([undefined, text.replace(line, made) + more]).toContain(after);
    }),
    { numRuns: cases(20) },
  );
});

test("what is quoted as a place, or as what something is in, stays", async () => {
  const text = "function stop(all) {\n  close(all);\n  free(all);\n}\n";
  const leads = [
    "Put this line before `free(all);`:",
    "Place this right above `free(all);`:",
    "把下面这行放到 `free(all);` 之前：",
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...leads), async (lead) => {
      const answer = `${lead}\n\n${fenced("  free(all.data);\n", "js")}`;
      const { after } = await play("src/a.js", text, answer);
      expect(after).toBe(text.replace("  free(all);", "  free(all.data);\n  free(all);"));
    }),
    { numRuns: cases(3) },
  );
});

test("options are no sides of a change, also where the file has one of them elsewhere", async () => {
  const text = "function a() {\n  return load(1);\n}\n\nfunction b() {\n  return load(2);\n}\n";
  const [one, two] = ["  return load(2);\n", "  return load(2, true);\n"].map((line) =>
    fenced(line, "js"),
  );
  const answer = `There are two ways.\n\n**Option 1: as in \`b\`**\n\n${one}\n\n**Option 2: with a check**\n\n${two}\n\nPlease pick one.`;
  const { after } = await play("src/a.js", text, answer, { lines: [2, 2] });
  expect(after).toBeUndefined();
});
