// Changes that an answer tells with the code that it quotes.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../../src/edit/edit-session.ts";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";

const [old, now] = ["while (at < size - 1) {", "while (at < size) {"];
const file = `let at = 0;\n${old}\n  at += 1;\n}\nconst rest = size - at;\n`;

const units = (answer: string) =>
  parseAnswer(answer, file).files.flatMap(({ filePath, units: all }) =>
    all.map(({ search, replace }) => [filePath, search.trim(), replace.trim()]),
  );

/** What people write between two sides, in several languages; where it says "instead", the new side comes first. */
const sayings = [
  "Replace @ with #.",
  "@ should be #.",
  "1. **Off by one**: @ → #",
  "Change @ to # so that the last one counts.",
  "Use # instead of @.",
  "The loop ends early: @ has to become #.",
  "把 @ 改成 # 即可。",
  "将 @ 替换为 #。",
  "应使用 # 而不是 @。",
  "@ を # に変更します。",
  "Ersetze @ durch #.",
  "Remplacez @ par #.",
  "Hay que cambiar @ por #.",
];
const inline = (code: string): string => `\`${code}\``;
const block = (code: string): string => `\n\n\`\`\`js\n${code}\n\`\`\`\n\n`;
const indented = (code: string): string => `\n\n    ${code}\n\n`;
const dress = fc.constantFrom(inline, block, indented);
const told = (saying: string, one: typeof inline, other: typeof inline): string =>
  saying.replace("@", one(old)).replace("#", other(now));

test("a change is read whatever the language, the order and the dress of its sides", () => {
  fc.assert(
    fc.property(fc.constantFrom(...sayings), dress, dress, (saying, one, other) => {
      const isTurned = saying.indexOf("#") < saying.indexOf("@");
      // Which side is meant to go is told by words before it, on its line.
      if (isTurned && (one !== inline || other !== inline)) return;
      // Indented lines of a list are its text.
      const text = [one, other].includes(indented) ? saying.replace("1. ", "") : saying;
      expect(units(told(text, one, other))).toEqual([[undefined, old, now]]);
    }),
  );
});

test("what is left to the person, denied or taken back is no change", () => {
  const doubts = [
    "If the list may be empty, replace @ with #.",
    "You could change @ to #.",
    "@ is right, and not #.",
    "Do not use # here, @ is what is meant.",
    "Try @ or #.",
    "Would # do instead of @?",
    "如果列表为空，可以把 @ 改成 #。",
    "不要把 @ 改成 #。",
  ];
  const conditions = [
    "If it still fails",
    "Alternatively",
    "As an alternative",
    "Perhaps",
    "如果仍然失败",
  ];
  const led = conditions.flatMap((words) =>
    ["replace @ with #.", "@ → #", "change @ to #"].map((saying) => `${words}: ${saying}`),
  );
  const found = [...doubts, ...led].filter(
    (doubt) => units(told(doubt, inline, inline)).length > 0,
  );
  expect(found).toEqual([]);
});

test("why it is made, told of a name before a colon or in another cell, does not make a change doubtful", () => {
  const names = fc.constantFrom("size", "run()", "items.length", "insert(_:at:)", "$total", "a-b");
  const reasons = fc.constantFrom(
    "% may be 0 or less",
    "% is not called if the list is empty",
    "% fails on every second call",
    "% 可能为空",
    "if % is empty, others fail",
  );
  const leads: readonly ((reason: string, saying: string) => string)[] = [
    (reason, saying) => `${reason}: ${saying}`,
    (reason, saying) => `- **Bug**: ${reason}: ${saying}`,
    (reason, saying) => `${reason}：${saying}`,
    (reason) =>
      `| # | Why | Old | New |\n|---|---|---|---|\n| 1 | ${reason} | ${inline(old)} | ${inline(now)} |`,
  ];
  fc.assert(
    fc.property(
      names,
      reasons,
      fc.constantFrom(...leads),
      fc.constantFrom(...sayings.filter((one) => /^[^:]*@[^:]*#/.test(one))),
      (name, reason, lead, saying) => {
        const answer = lead(reason.replace("%", inline(name)), told(saying, inline, inline));
        expect([answer, units(answer)]).toEqual([answer, [[undefined, old, now]]]);
      },
    ),
  );
});

test("a word that is talked about on its own is no side of a change, and leaves others as they are told", () => {
  const talks = ["% is what counts.", "The loop ends at %.", "这里的 % 有误。"];
  const bits = ["`<=`", "`size-1`", "`at[0]`", "`-1`", "`!done`", "`indexOf(_:)`"];
  fc.assert(
    fc.property(
      fc.constantFrom(...talks),
      fc.constantFrom(...bits),
      fc.constantFrom(...sayings),
      fc.boolean(),
      (talk, bit, saying, isFirst) => {
        const lines = [talk.replace("%", bit), "", told(saying, inline, inline)];
        const answer = (isFirst ? lines : lines.toReversed()).join("\n");
        expect([answer, units(answer)]).toEqual([answer, [[undefined, old, now]]]);
      },
    ),
  );
});

test("whatever sentences come with it, a change is read as it is told, or not at all", () => {
  const plain = [
    "if",
    "the",
    "or",
    "not",
    "change",
    "to",
    "loop",
    "rename",
    ".",
    ":",
    "改为",
    "不",
  ];
  const quoted = ["`x`", "`f(3)`", "`const rest = size - at;`", "`let at = 1;`"];
  const words = fc.constantFrom(...plain, ...quoted);
  const sentence = fc.array(words, { maxLength: 8 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(sentence, sentence, (before, after) => {
      const answer = `${before}\n${told("Replace @ with #.", inline, inline)}\n${after}\n`;
      const allowed = [
        [undefined, old, now],
        [undefined, "let at = 0;", "let at = 1;"],
        ...[...answer.matchAll(/(?=`([^`]+)`[^`不]*(?:改为|to)[ :]+`([^`]+)`)/g)].map(
          ([, was, is]) => [undefined, was, is],
        ),
      ];
      for (const unit of units(answer)) expect(allowed).toContainEqual(unit);
    }),
  );
});

test("code beside code of the file that shows more than that takes the place of nothing", () => {
  const more = `The loop is ${inline(old)}:\n${block(`let at = 0;\n${now}\n  at += 1;\n}`)}`;
  expect(units(more)).toEqual([]);
});

/** What becomes of a text; undefined if nothing. */
const applied = (text: string, answer: string): string | undefined => {
  const all = parseAnswer(answer, text).files.flatMap(({ units: own }) => own);
  const result = all.length === 0 ? undefined : applyUnits(text, all);
  return result?.ok === true ? result.text : undefined;
};

const english = {
  leads: [
    "",
    "The loop ends early. ",
    "It may fail when every item is gone, so ",
    "Because `size` could be 0, ",
    "`run()` skips the last of all items: ",
  ],
  orders: [
    "change @ to #",
    "replace @ with #",
    "@ should be #",
    "you need to change @ to #",
    "use # instead of @",
    "use # rather than @",
    "use # in place of @",
    "instead of @, use #",
    "do not use @; use #",
    "@ → #",
  ],
  reasons: [
    "",
    " so that it does not crash if the list is empty",
    ", because it fails when `size` is 0",
    ", otherwise each second item is lost",
    " to avoid that it ends when others are left",
  ],
  end: ".",
};
const chinese = {
  leads: [
    "",
    "循环提前结束。",
    "每次都会少算一项，因此",
    "由于 `size` 可能为空，",
    "`run()` 每次循环都少一项，",
  ],
  orders: [
    "应将 @ 改为 #",
    "把 @ 改成 #",
    "@ 应为 #",
    "请把 @ 替换为 #",
    "应使用 # 代替 @",
    "应该用 # 而不是 @",
    "不要用 @，应使用 #",
  ],
  reasons: ["", "，这样才会处理每一项", "，否则会报错", "，因为列表可能为空", "，以避免失败"],
  end: "。",
};
const sentenceOf = (words: typeof english): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...words.leads),
      fc.constantFrom(...words.orders),
      fc.constantFrom(...words.reasons),
    )
    .map((parts) => parts.join("") + words.end);
const anyOrder = fc.oneof(sentenceOf(english), sentenceOf(chinese));

test("facts before an order and reasons behind it leave it an order, whatever they say", () => {
  fc.assert(
    fc.property(anyOrder, (saying) => {
      const answer = told(saying, inline, inline);
      expect([answer, units(answer)]).toEqual([answer, [[undefined, old, now]]]);
    }),
  );
});

test("a sentence may name the old code, and one soon behind it order the new", () => {
  const firsts = ["The bug is in the line @.", "@ is off by one.", "错误在这一行：@。"];
  const betweens = ["", " If the list is long, the last one is lost.", " 这样会漏掉最后一项。"];
  const seconds = [
    "You should change it to # and everything will work.",
    "It should be #.",
    "Please use # instead.",
    "Change it to #.",
    "应改为 #。",
    "把它改成 # 就可以了。",
  ];
  const denials = [
    "It should not be #.",
    "You could change it to #.",
    "Do not change it to #.",
    "If you like, change it to #.",
    "Others write #.",
    "不要改成 #。",
    "如果需要，可以改成 #。",
  ];
  const [first, between] = [fc.constantFrom(...firsts), fc.constantFrom(...betweens)];
  fc.assert(
    fc.property(
      first,
      between,
      fc.constantFrom(...seconds),
      fc.boolean(),
      (one, two, last, cut) => {
        const answer = told(`${one}${two}${cut ? "\n" : " "}${last}`, inline, inline);
        expect([answer, units(answer)]).toEqual([answer, [[undefined, old, now]]]);
      },
    ),
  );
  fc.assert(
    fc.property(first, between, fc.constantFrom(...denials), (one, two, last) => {
      expect(units(told(`${one}${two} ${last}`, inline, inline))).toEqual([]);
    }),
  );
});

const alone = (code: string): string => `\n\n\`${code}\`\n\n`;

test("what only talks of both sides, leaves the change to the person or forbids it changes nothing, in any dress", () => {
  const talks = [
    "You could change @ to #",
    "Don't change @ to #",
    "Never replace @ with #",
    "You might want to replace @ with #",
    "Optional: change @ to #",
    "不要把 @ 改成 #",
    "也可以把 @ 改成 #",
  ];
  const reports = [
    "@ means the same as #",
    "@ was changed to # in the last version",
    "@ used to be #",
    "The tests use # instead of @",
    "The old version had # in place of @",
    "You wrote @ instead of #",
    "Changing @ to # makes the last item disappear",
    "Changing @ to # is not enough",
    "To see it fail, change @ to #",
    "Change @ to # to see it fail",
    "Should @ be #?",
    "@ is correct, and it should not be #",
    "Change @ to #, or leave it as it is",
    "Change @ to #, if you like",
    "Change @ to # and so on in all other loops",
    "@ 没有问题，不需要改成 #",
    "把 @ 改成 # 是不对的",
    "有人把 @ 写成 #，这是错的",
  ];
  const conditions = ["If you want it to be strict, change @ to #", "如果需要，把 @ 改成 #"];
  const sentence = fc.oneof(
    fc.tuple(fc.constantFrom(...talks), fc.constantFrom(inline, block, indented, alone)),
    // Blocks under labels are pairs by those.
    fc.tuple(fc.constantFrom(...conditions), fc.constantFrom(inline, indented, alone)),
    fc.tuple(fc.constantFrom(...reports), fc.constant(inline)),
  );
  fc.assert(
    fc.property(sentence, ([saying, way]) => {
      const answer = told(`${saying}.`, way, way);
      expect([answer, units(answer)]).toEqual([answer, []]);
    }),
    { numRuns: 300 },
  );
});

test("what heads a change, or comes next, may leave it to the person or take it back", () => {
  const heads = [
    "Optional improvements:",
    "## Alternatives",
    "What not to do:",
    "如果需要：",
    "反例：",
  ];
  const nexts = [
    "But that would skip the last one.",
    "This would be wrong, though.",
    "但这样会越界。",
  ];
  fc.assert(
    fc.property(
      anyOrder,
      fc.constantFrom(...heads),
      fc.constantFrom("", "- "),
      (saying, head, item) => {
        expect(units(`${head}\n\n${item}${told(saying, inline, inline)}`)).toEqual([]);
      },
    ),
  );
  fc.assert(
    fc.property(
      anyOrder,
      fc.constantFrom(...nexts),
      fc.constantFrom(" ", "\n\n"),
      (saying, next, gap) => {
        expect(units(told(saying, inline, inline) + gap + next)).toEqual([]);
      },
    ),
  );
});

const names = ["follow", "unfollow", "refresh", "stop"];
const many = names.map(
  (name) => `function ${name}() {\n  busy = true;\n  count.value++;\n  save();\n}\n`,
);
const scopes = [
  "In `N`, change @ to #.",
  "In the `N()` function, you should change @ to #.",
  "Change @ to # in `N`.",
  "The @ in `N` should be #.",
  "把 `N` 里的 @ 改成 # 即可，`other` 函数不需要修改。",
  "在 `N` 函数中，将 @ 改为 #。",
];
const inScope = (saying: string, name: string): string =>
  saying.replace("N", name).replace("@", "`count.value++`").replace("#", "`count.value--`");

test("of several equal places the one is meant that is in the function that the sentence names", () => {
  fc.assert(
    fc.property(fc.constantFrom(...scopes), fc.nat(names.length - 1), (saying, nth) => {
      const answer = inScope(saying, names[nth] ?? "");
      const after = many.with(nth, many[nth]?.replace("++", "--") ?? "").join("\n");
      expect([answer, applied(many.join("\n"), answer)]).toEqual([answer, after]);
    }),
  );
});

test("of several equal places none is changed where no function is named, or two are, or another is", () => {
  const unclear = [
    "Change @ to #.",
    "In `follow` and `unfollow`, change @ to #.",
    "As in `follow`, change @ to #.",
    "In `missing`, change @ to #.",
    "把 `follow` 和 `stop` 里的 @ 改成 #。",
  ];
  for (const saying of unclear)
    expect(applied(many.join("\n"), inScope(saying, ""))).toBeUndefined();
  const elsewhere = [...many, "function last() {\n  return 1;\n}\n"].join("\n");
  for (const saying of scopes) expect(applied(elsewhere, inScope(saying, "last"))).toBeUndefined();
});

test("every place is changed where the sentence says so, and all of it is that code", () => {
  const orders = [
    "Replace every occurrence of @ with #.",
    "Change all @ to #.",
    "Replace @ with # everywhere.",
    "You should replace each use of @ with #, because it may fail.",
    "将所有的 @ 替换为 #。",
    "把文件中每一处 @ 都改成 #。",
    "把 @ 全部改为 #。",
  ];
  const counts = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...orders), counts, (saying, count) => {
      const lines = (code: string): string =>
        Array.from({ length: count }, (_, nth) => `  - uses: ${code}\n  - run: ${nth}\n`).join("");
      const answer = saying.replace("@", "`acme/check@v2`").replace("#", "`acme/check@v4`");
      expect([answer, applied(lines("acme/check@v2"), answer)]).toEqual([
        answer,
        lines("acme/check@v4"),
      ]);
      const longer = lines("acme/check@v2") + lines("acme/check@v21");
      if (count > 1) expect(applied(longer, answer)).toBeUndefined();
    }),
  );
  const both = "Replace both `count.value++` with `count.value--`.";
  expect(applied(many.slice(0, 2).join("\n"), both)).not.toContain("++");
  const unclear = [
    both,
    "Replace every `count.value++` with `count.value--`, except in `stop`.",
    "In `stop`, replace every `count.value++` with `count.value--`.",
    "Replace every other `count.value++` with `count.value--`.",
  ];
  for (const answer of unclear) expect(applied(many.join("\n"), answer)).toBeUndefined();
});

test("where the file holds both sides, the words say which is old, or nothing is changed", () => {
  const both = `start(timer, 1);\nclear(timer, 1);\n`;
  const sure = [
    "@ should be #.",
    "@ → #",
    "Change @ to #.",
    "Use # instead of @.",
    "把 @ 改成 #。",
  ];
  const unsure = ["@ and # are here.", "Check @, #.", "@ comes before #.", "先 @ 后 #。"];
  const sides = fc.constantFrom(
    ["start(timer, 1);", "clear(timer, 1);"],
    ["clear(timer, 1);", "start(timer, 1);"],
  );
  fc.assert(
    fc.property(sides, fc.constantFrom(...sure), ([was = "", is = ""], saying) => {
      const answer = saying.replace("@", inline(was)).replace("#", inline(is));
      expect([answer, applied(both, answer)]).toEqual([answer, both.replace(was, is)]);
    }),
  );
  for (const saying of unsure) {
    const answer = saying.replace("@", "`start(timer, 1);`").replace("#", "`clear(timer, 1);`");
    expect(applied(both, answer)).toBeUndefined();
  }
});

test("a change that is there already is not undone", () => {
  const done = file.replace(old, now);
  fc.assert(
    fc.property(anyOrder, dress, dress, (saying, one, other) => {
      expect(applied(done, told(saying, one, other))).toBeUndefined();
    }),
  );
});

test("lines in a block go where the sentence before it orders that", () => {
  const lines = Array.from({ length: 6 }, (_, nth) => `import part${nth}`);
  const one = [
    "Remove this line:",
    "`os` is never used. Delete the following line:",
    "删除这一行：",
  ];
  const more = ["Remove these lines:", "Delete the following imports:", "删除下面的代码："];
  const range = fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(
      range,
      fc.constantFrom(...one),
      fc.constantFrom(...more),
      ([from, size], single, plural) => {
        const gone = lines.slice(from, from + size);
        const after = lines.toSpliced(from, gone.length).join("\n") + "\n";
        const text = lines.join("\n") + "\n";
        const shown = block(gone.join("\n"));
        expect(applied(text, plural + shown)).toBe(after);
        expect(applied(text, single + shown)).toBe(gone.length === 1 ? after : undefined);
        expect(applied(text + text, plural + shown)).toBeUndefined();
        for (const doubt of [
          "Don't remove these lines:",
          "If they are unused, remove these lines:",
          "Remove the line above this code:",
          "You could delete these lines:",
          "不要删除下面的代码：",
          "Here are the lines:",
        ])
          expect(applied(text, doubt + shown)).toBeUndefined();
        expect(applied(text, `${plural}${shown}if they are not needed.`)).toBeUndefined();
      },
    ),
  );
});

test("a line that a sentence quotes goes where that, or the next sentence, orders it, wherever it says that the line is", () => {
  const lines = Array.from({ length: 6 }, (_, nth) => `import part${nth}`);
  const orders = [
    "Just delete the line @ at the top of the file; nothing else is needed.",
    "`node:fs` is no part of `node:os`. Remove @ from the `import` part of `the head of it`.",
    "@ does nothing. Delete that line, and go on.",
    "@ 没有用到。删除这一行即可。",
    "已经不再需要它，请删除第一行 @（以及后面的空行）。",
  ];
  const doubts = [
    "@ does nothing. Delete that line if you do not need it.",
    "@ does nothing. Don't delete that line.",
    "Delete @ or `import part9 as it was`.",
    "@ 没有用到。如果不需要，删除这一行。",
  ];
  fc.assert(
    fc.property(fc.nat(5), fc.boolean(), (at, isApart) => {
      const gap = isApart && at === 0 ? [""] : [];
      const text = `${lines.toSpliced(1, 0, ...gap).join("\n")}\n`;
      const after = `${lines.toSpliced(at, 1).join("\n")}\n`;
      const tell = (saying: string): string => saying.replace("@", `\`${lines[at]}\``);
      for (const saying of orders) expect(applied(text, tell(saying))).toBe(after);
      for (const saying of doubts) expect(applied(text, tell(saying))).toBeUndefined();
      expect(applied(text + text, tell(orders[0] ?? ""))).toBeUndefined();
    }),
  );
});

test("code may hold the signs that quote it", () => {
  const text = "1. Ask for a review of `main`.\n\nconst at = `/api/${id}`;\n";
  const changes = [
    ["1. Ask for a review of `main`.", "2. Ask for a review of `next`."],
    ["const at = `/api/${id}`;", "const at = `/api/v2/${id}`;"],
  ];
  for (const [was = "", is = ""] of changes)
    for (const saying of ["Change @ to #.", "将 @ 改为 #。", "- @ → #"])
      for (const sign of ["`", "``"]) {
        const quote = (code: string): string => sign + code + sign;
        const answer = saying.replace("@", () => quote(was)).replace("#", () => quote(is));
        expect([answer, applied(text, answer)]).toEqual([answer, text.replace(was, () => is)]);
      }
});

test("a tag is code of its own between other tags", () => {
  const page = '<div><p max="100"></p></div>\n';
  const answer = '- `<p max="100">` → `<p max="1">` (`p` is a ratio)';
  expect(applied(page, answer)).toBe('<div><p max="1"></p></div>\n');
});

test("a name may turn into one that is like it", () => {
  const text = "[web]\nentry = app.cli.main\nport = 90\n\n[db]\nlimit = 5\nname = app\n";
  const first = "`port = 90` SIDE `port = 91`";
  for (const saying of ["On line 2 change @ to #.", "把 @ 改为 #。", "入口不对。将 @ 改成 #。"])
    expect(
      applied(text, saying.replace("@", "`app.cli.main`").replace("#", "`app.cli:main`")),
    ).toBe(text.replace("cli.main", "cli:main"));
  const named = "def late?\n  due > today\nend\n";
  const late =
    "- `late?` is the wrong way round; it should read `due < today` instead of `due > today`.";
  expect(applied(named, late)).toBe(named.replace(">", "<"));
  // A value takes the place of no name, and what one sentence leaves undone leaves all undone.
  expect(applied(text, "Change `limit` to `8`.")).toBeUndefined();
  expect(
    applied(text, `Change ${first.replace("SIDE", "to")}. Then call \`reload(rest, 1)\` in it.`),
  ).toBeUndefined();
});
