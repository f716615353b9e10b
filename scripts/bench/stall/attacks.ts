// What hostile requests look like. The names say what each is about.
import { gzipSync } from "node:zlib";
import { createHostileFile } from "../../../test/helpers/hostile-files.ts";
import { hostileTemplate } from "../../../test/helpers/hostile-templates.ts";
import { requests as plugin } from "../../../test/helpers/plugin-requests.ts";
import { frameOf } from "../../../test/helpers/raw-plugin.ts";
import { seededRandom } from "../../../test/helpers/seeded-random.ts";
import {
  type Attack,
  attackBy,
  definitionOf,
  editor,
  lines,
  many,
  printEvent,
  question,
  unit,
} from "./attack.ts";

// Templates that come with a request.

const template = (name: string, templates: string | string[], variable?: object): Attack =>
  attackBy("template", name, () => ({
    command: "run",
    agentDefinition: definitionOf([templates].flat()),
    variables: [question("Go."), ...(variable === undefined ? [] : [variable])],
  }));
const rows = {
  name: "rows",
  value: many(6e4, (nth) => ({ id: nth, name: `row ${nth % 1_000}` })),
};
const text = (value: string): object => ({ name: "text", value });
const orChain = many(100, () => "i == 0").join(" or ");

const templateAttacks = [
  template("where_exp over a range", `{{ (1..170000) | where_exp: "i", "${orChain}" | size }}`),
  template("where over a long list", '{{ rows | where: "name", "row 1" | size }}', rows),
  template("group_by over a long list", '{{ rows | group_by: "name" | size }}', rows),
  template(
    "sort of a long list, ten times",
    `{{ rows ${'| sort: "name" | sort: "id" '.repeat(5)}| size }}`,
    rows,
  ),
  template("uniq of a range", "{{ (1..1000000) | uniq | size }}"),
  template(
    "four nested loops",
    ["a", "b", "c", "d"].map((name) => `{% for ${name} in (1..1000) %}`).join("") +
      "{% endfor %}".repeat(4),
  ),
  template(
    "a text that doubles",
    `{% assign a = "0123456789" %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a | size }}`,
  ),
  template(
    "split, join and replace in a loop",
    `{% assign a = userInputPrompt %}{% for i in (1..5000) %}{% assign a = a | append: "abc " | split: " " | join: "-" | replace: "-", " " %}{% endfor %}{{ a | size }}`,
  ),
  template("a liquid tag of 20 kB", `{% liquid\n${"assign a = 1\n".repeat(1_600)}%}`),
  template("a liquid tag of 190 kB", `{% liquid\n${"assign a = 1\n".repeat(14_600)}%}`),
  template(
    "a condition of 10,000 parts",
    `{% if ${many(10_000, () => "a").join(" and ")} %}x{% endif %}`,
  ),
  template(
    "two thousand templates",
    many(2_000, (nth) => `{{ a | append: "${nth}" | size }}{% if a %}b{% endif %}`),
  ),
  template(
    "ten templates of 140 kB",
    many(10, (nth) => `{{ a${nth} | upcase }}`.repeat(7_000)),
  ),
  template("blocks in blocks", `${"{% if true %}".repeat(1_900)}x${"{% endif %}".repeat(1_900)}`),
  template("a filter chain of 10,000", `{{ userInputPrompt ${"| upcase ".repeat(10_000)}}}`),
  template("JSON of a long list", "{{ rows | json: 10 }}".repeat(3), rows),
  template(
    "strip_html of open tags",
    "{{ text | strip_html | size }}",
    text("<script".repeat(200_000)),
  ),
  template(
    "the editor with line numbers, many times",
    "{% for i in (1..1000) %}{{ activeEditor.content | line_numbers }}{% endfor %}",
    { name: "activeEditor", value: { filePath: "a.ts", content: "x\n".repeat(300_000) } },
  ),
  template(
    "tokens of a long text, many times",
    "{% for i in (1..1000) %}{{ text | tokens: 10 }}{% endfor %}",
    text("word ".repeat(400_000)),
  ),
];

// Files that are hard to parse.

const file = (name: string, place: string, content: () => string, more: object = {}): Attack => {
  const [path, language] = place.split(" ");
  const { command = "explain", parallel = 1 }: { command?: string; parallel?: number } = more;
  const ask = (nth: number) => ({
    command,
    variables: [editor(content() + "\n".repeat(nth), path, language)],
  });
  return attackBy("file", name, ask, { parallel });
};

const fileAttacks = [
  file("a< in TypeScript", "a.ts typescript", () => "a<".repeat(3e5)),
  file("a< in TypeScript, eight at once", "b.ts typescript", () => "b<".repeat(3e5), {
    parallel: 8,
  }),
  file("a< in TSX", "a.tsx typescriptreact", () => "<a b={".repeat(5e4)),
  file("brackets in JavaScript", "a.js javascript", () => "[(".repeat(2e5)),
  file("templates in JavaScript", "a.js javascript", () => "`${".repeat(1e5)),
  file("open strings in Python", "a.py python", () => `${'"""'.repeat(1e5)}\n'`),
  file("indentation in Python", "a.py python", () =>
    lines(900, (nth) => `${" ".repeat(nth)}if x:`),
  ),
  file("a< in C++", "a.cpp cpp", () => "a<".repeat(2e5)),
  file("macros in C", "a.c c", () => lines(4e4, (nth) => `#if A${nth}(`)),
  file("generics in Java", "A.java java", () => "A<".repeat(2e5)),
  file("generics in C#", "A.cs csharp", () => "A<B,".repeat(1e5)),
  file("blocks in Rust", "a.rs rust", () => "r#".repeat(1e5) + "{|".repeat(1e5)),
  file("calls in Go", "a.go go", () => `package a\nfunc f() { ${"f(".repeat(1e5)}`),
  file("heredocs in Ruby", "a.rb ruby", () => lines(2e4, (nth) => `<<~A${nth} + %w(`)),
  file("tags in PHP", "a.php php", () => "<?php $a[ ?>".repeat(4e4)),
  file("fifty thousand functions", "a.ts typescript", () =>
    lines(5e4, (nth) => `function f${nth}() {}`),
  ),
  file("a megabyte without a grammar", "a.kt kotlin", () =>
    lines(5e4, (nth) => `fun f${nth}() { "`),
  ),
  file("ten megabytes in one line", "a.js javascript", () => "x ".repeat(4.5e6)),
  file("nine megabytes of lines", "a.js javascript", () => lines(9e5, () => "x = 1;//")),
  file(
    "unit tests of a huge file",
    "c.ts typescript",
    () => lines(2e4, (nth) => `export function f${nth}(a: number) { if (a) { return ${nth}; } }`),
    { command: "unittest" },
  ),
];

// What a model may answer about an editor's file.

const value = (nth: number): string => `  const value${nth} = compute(${nth}, "text ${nth}");`;
const comment = (nth: number): string => `// comment number ${nth % 60} about nothing ${nth % 7}`;
const values = lines(3_000, value);
const comments = lines(20_000, comment);
const answer = (name: string, content: string, say: () => string, command = "fix"): Attack =>
  attackBy("answer", name, () => ({ command, variables: [editor(content)] }), { answer: say });
const streamed = (name: string, pieces: () => Iterable<string>): Attack =>
  attackBy("answer", name, () => ({ command: "chat", variables: [question("Hi.")] }), { pieces });

const answerAttacks = [
  answer("REPLACE of blanks", values, () => unit("no such line\n", `x${" ".repeat(200_000)}y\n`)),
  answer("2,000 units that fit", values, () =>
    lines(2_000, (nth) => unit(`${value(nth)}\n`, `  other(${nth});\n`)),
  ),
  answer("2,000 units that nearly fit", values, () =>
    lines(2_000, (nth) => {
      const typo = (k: number): string =>
        k === 3 ? value(nth + k).replace("value", "valuX") : value(nth + k);
      return unit(lines(6, typo), "x\n");
    }),
  ),
  answer("lines that look like comments", comments, () =>
    lines(200, (nth) =>
      unit(
        lines(12, (k) => (k === 5 ? `// coment numbr ${nth}` : comment(k))),
        "x\n",
      ),
    ),
  ),
  answer("a unit as long as the file", comments, () => unit(comments, `${comments}// end\n`)),
  answer("elisions without end", values, () => {
    const elided = (line: (k: number) => string): string =>
      lines(300, (k) => (k % 2 ? "// ..." : line(k)));
    return lines(200, () =>
      unit(
        elided(value),
        elided(() => "q"),
      ),
    );
  }),
  answer("everything is new", comments, () =>
    unit(
      comments,
      lines(20_000, (nth) => `new ${nth}`),
    ),
  ),
  answer("seven megabytes without a line end", values, () => "x".repeat(7e6)),
  answer("a megabyte of SEARCH rules", values, () => "------- SEARCH\n".repeat(7e4)),
  answer("a megabyte of tags", values, () => '<file-edit filePath="a.ts">\n'.repeat(4e4)),
  answer("brackets for test cases", values, () => "[{".repeat(5e5), "unittest"),
  answer(
    "a list of 100,000 test cases",
    values,
    () => lines(1e5, (nth) => `- happy path: case ${nth}`),
    "unittest",
  ),
  streamed("one event in a million pieces", function* () {
    const event = printEvent({ content: "x".repeat(900_000) }, null);
    for (let from = 0; from < event.length; from += 8) yield event.slice(from, from + 8);
  }),
  streamed("300,000 tiny events", () => {
    const piece = printEvent({ content: "y" }, null).repeat(300);
    return many(1_000, () => piece);
  }),
];

// Bodies at the limits, definitions, clicks, the offline model, and questions to a knowledge folder.

const raw = (name: string, body: Attack["body"], more: Partial<Attack> = {}): Attack => ({
  ...attackBy("request", name, () => ({}), more),
  body,
});
const chat = (name: string, variables: () => unknown[], more: () => object = () => ({})): Attack =>
  attackBy("request", name, () => ({ command: "chat", variables: variables(), ...more() }));
const commands = (name: string, command: string, more: object): Attack =>
  attackBy("request", name, () => ({
    agent: "a",
    command,
    agentDefinition: {
      name: "a",
      commands: many(150_000, (nth) => ({ name: `command-${nth}`, ...more })),
    },
  }));
const passages = (chunk: (nth: number) => string, fileName: (nth: number) => string): object => {
  const references = many(1e4, (nth) => ({
    score: 1,
    chunk: chunk(nth).repeat(20),
    metadata: { fileName: fileName(nth), source: "s" },
  }));
  return { name: "knowledgeBase", value: [{ knowledgeBaseId: "a", references }] };
};
const packages = (
  count: number,
  content: (nth: number) => string,
  path = (nth: number) => `packages/p${nth}/index.ts`,
): object => ({
  name: "packageFiles",
  value: many(count, (nth) => ({ filepath: path(nth), content: content(nth) })),
});
const recalled = [
  { name: "userInputPrompt" },
  { name: "knowledgeBase", resolveOptions: { recallByAgent: true } },
];
const contextVariableCollectionStrategy = { type: "specify", contextVariables: recalled };
const agentDefinition = {
  name: "searcher",
  version: "1",
  type: "proxy",
  commands: [{ name: "chat", contextVariableCollectionStrategy }],
};
const search = (name: string, asked: string): Attack =>
  attackBy("knowledge", name, () => ({
    command: "chat",
    agentDefinition,
    variables: [question(asked)],
  }));

const requestAttacks = [
  raw("ten megabytes of empty lists", () => `[${"[],".repeat(3_400_000)}[]]`),
  raw("a million keys", () => `{${lines(6e5, (nth) => `"k${nth}":0,`)}"z":0}`),
  chat("a million wrong items", () => many(1e6, () => 1)),
  chat("100,000 wrong variables", () => many(1e5, (nth) => ({ name: nth }))),
  chat("200,000 variables", () => many(2e5, (nth) => ({ name: `v${nth}`, value: "" }))),
  raw("a gzip bomb", () => new Uint8Array(gzipSync(Buffer.alloc(200e6, 32))), {
    headers: { "content-encoding": "gzip" },
  }),
  raw("quotes and backslashes", () => `{"a":"${'\\\\\\"'.repeat(2.5e6)}"}`),
  commands("300,000 commands", "default", { description: "d" }),
  commands("an unknown command of 150,000", "comand", {}),
  chat("10,000 knowledge references", () => [
    question("What is this?"),
    passages(
      (nth) => `passage ${nth} `,
      (nth) => `f${nth}`,
    ),
  ]),
  chat("200 package files of 45 kB", () => [
    question("What is this?"),
    packages(
      200,
      () => '"dependency": "1.0.0",\n'.repeat(1_500),
      (nth) => `${nth}/package.json`,
    ),
  ]),
  chat(
    "a conversation of 100,000 messages",
    () => [question("What is this?")],
    () => ({
      messages: many(1e5, (nth) => ({
        role: nth % 2 ? "assistant" : "user",
        content: `message ${nth}`,
      })),
    }),
  ),
  chat("a question of nine megabytes", () => [question("why? ".repeat(1.8e6))]),
  attackBy("request", "a click with 50,000 units", () => ({
    command: "fix",
    variables: [
      editor(lines(20_000, (nth) => `line ${nth}`)),
      question(
        `Apply the change at line 1\n\n\`\`\`diff\nfile -; change 1: place 1 of 2, line 1\n${unit("line\n", "b\n").repeat(5e4)}\`\`\``,
      ),
    ],
  })),
  attackBy("request", "cases to write, 200,000 lines", () => ({
    command: "unittest-write",
    variables: [
      editor("export function add(a: number, b: number) { return a + b; }\n"),
      question(lines(2e5, (nth) => `${nth}. happy path: case ${nth}`)),
    ],
  })),
  ...["explain", "fix", "docstring", "unittest-write"].map((command) =>
    attackBy("request", `the offline model, ${command}`, () => {
      const code = (nth: number): string =>
        `function f${nth}(a, b) { if (a == b) return 1; /* TODO */ }`;
      const variables = [editor(lines(1.5e4, code), "a.js", "javascript")];
      return { model: "offline", command, variables };
    }),
  ),
  search(
    "a long question",
    "how does the adapter of the folder index tokenize words for passages ".repeat(40),
  ),
  search(
    "words that are nearly words",
    lines(180, (nth) => `adaptr${nth} foldr`),
  ),
  search("Chinese", "如何配置知识库的检索和索引以及令牌化".repeat(120)),
];

// Proposals of changes to files, and clicks on them that somebody has written by hand.

const changes = (
  name: string,
  command: string,
  variables: () => unknown[],
  say?: () => string,
): Attack =>
  attackBy(
    "changes",
    name,
    () => ({ command, variables: variables() }),
    say === undefined ? {} : { answer: say },
  );
const click = (border: string, sections: string): object =>
  question(`Apply the changes of a.ts\n\n\`\`\`\`diff\n${border}\n${sections}\`\`\`\``);
const block = (path: string, units: string): string =>
  `<file-edit filePath="${path}">\n${units}</file-edit>`;
const calls = (nth: number): string => `  const value${nth} = compute(${nth});`;
const manyCalls = lines(20_000, calls);
const doIt = (): unknown[] => [editor(manyCalls), question("Do it.")];
const alone = (): unknown[] => [question("Do it.")];

const changesAttacks = [
  changes("a click with 100,000 units of one file", "code", () => [
    editor(manyCalls),
    click("========", `file -\nedit "a.ts"\n${unit("line\n", "b\n").repeat(1e5)}`),
  ]),
  changes("a click with 320,000 files", "code", () => [
    editor(manyCalls),
    click("====", 'file -\ndelete "a"\n====\n'.repeat(3.2e5)),
  ]),
  changes("a click with 1,000 files, each between 500 others", "code", () => [
    packages(500, (nth) => `export const value${nth} = ${nth};\n`),
    click("====", 'file -\nnew "b.ts"\n====\n'.repeat(999)),
  ]),
  changes("a click that changes one large file 900 times", "code", () => [
    editor(manyCalls),
    click(
      "========",
      many(900, (nth) => `file -\nedit "a.ts"\n${unit(`${calls(nth)}\n`, "x();\n")}`).join(
        "\n========\n",
      ),
    ),
  ]),
  changes("a click of borders alone", "code", () => [
    editor(manyCalls),
    click("====", "====\n".repeat(1.4e6)),
  ]),
  attackBy("changes", "a tampered state of four megabytes", () => ({
    action: "confirm",
    state: `v1.0.${"A".repeat(4e6)}`,
  })),
  attackBy("changes", "a tree of 100,000 nodes that comes back", () => {
    const steps = many(1e5, (nth) => [`file-${nth}`, { command: "x", prompt: "" }] as const);
    const state = { steps: Object.fromEntries(steps) };
    return { action: "tree", nodeId: "file-99999", nodeAction: "click", state };
  }),
  changes("9,000 package files that name each other", "code", () => [
    packages(
      9_000,
      (nth) =>
        `import { f${nth + 1} } from "../p${nth + 1}";\nexport const f${nth} = f${nth + 1};\n`,
    ),
    question("Rename f1, f2, f3 and @packages/p7/index.ts"),
  ]),
  changes("500 package files of 18 kB", "code", () => [
    packages(500, (nth) => lines(300, (k) => `export function f${nth}_${k}() { return g${k}(); }`)),
    question("Rename f1_1 and g7."),
  ]),
  changes("10,000 passages of knowledge", "code", () => [
    question("Rename f1 in f2.ts"),
    passages(
      (nth) => `function f${nth}() {}\n`,
      (nth) => `f${nth % 3}.ts`,
    ),
  ]),
  changes("an editor of nine megabytes", "code", () => [
    editor(lines(3e5, (nth) => `const v${nth} = "${nth}";`)),
    question("Rename v7."),
  ]),
  changes("2,000 calls in one answer", "code", doIt, () =>
    lines(2_000, (nth) => `tool_code.readTool(filePath='a${nth}.ts')`),
  ),
  changes("2,000 new files in an answer", "chat", doIt, () =>
    lines(2_000, (nth) => block(`n${nth}.ts`, unit("", `${nth}\n`))),
  ),
  changes("2,000 files that are not at hand", "chat", alone, () =>
    lines(2_000, (nth) => block(`n${nth}.ts`, unit("a\n", `${nth}\n`))),
  ),
  changes("every line of a file is new", "chat", doIt, () =>
    block(
      "a.ts",
      unit(
        manyCalls,
        lines(20_000, (nth) => `new ${nth}`),
      ),
    ),
  ),
  changes(
    "a line of half a megabyte of rules",
    "chat",
    () => [editor(`a\n${"=".repeat(500_000)}\nb\n`), question("Do it.")],
    () => block("a.ts", unit("a\n", "c\n")),
  ),
  changes("a new file of backticks and rules", "chat", alone, () =>
    block(
      "a.md",
      unit(
        "",
        lines(2_000, (nth) => `${"=".repeat(nth)}\n${"`".repeat(nth)}`),
      ),
    ),
  ),
];

// Many small things at once: frames on a WebSocket, and requests that wait for no answers.

const frame = (message: string): string => `{"request_id":1,"cmd":${message}`;
const post =
  "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
const ping = frameOf("x".repeat(125), { opcode: 9 });
const get = (path: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

const floods: [name: string, isSocket: boolean, piece: Buffer, reads?: boolean][] = [
  ["broken JSON", true, frameOf(frame(""))],
  ["nothing", true, frameOf("")],
  ["unknown commands", true, frameOf(frame('"nothing"}'))],
  ["lists of models", true, frameOf(frame('"list_model"}'))],
  ["tasks", true, frameOf(JSON.stringify({ ...plugin.exec_chat, stream: true }))],
  ["pings in text", true, frameOf(frame('"ping"}'))],
  ["pings", true, ping],
  ["pings, pongs unread", true, ping, false],
  ["GET /healthz", false, get("/healthz")],
  ["GET /v1/models", false, get("/v1/models")],
  ["GET /nowhere", false, get("/nowhere")],
  ["POST /", false, Buffer.from(post)],
];

const floodAttacks = floods.flatMap(([name, isSocket, piece, reads = true]) =>
  [1, 5].map((parallel): Attack => {
    const bytes = (): Buffer => Buffer.concat(many(2_000, () => piece));
    const flood = { isSocket, reads, bytes };
    return {
      group: "flood",
      name: `a flood of ${name}, ${parallel} at once`,
      body: () => "",
      flood,
      parallel,
    };
  }),
);

export const attacks: readonly Attack[] = [
  ...templateAttacks,
  ...fileAttacks,
  ...answerAttacks,
  ...requestAttacks,
  ...changesAttacks,
  ...floodAttacks,
];

const seed = 20_261_122;

/** So many templates and as many files, the same ones each time. */
export function* randomAttacks(count: number): Generator<Attack> {
  const random = seededRandom(seed);
  for (let nth = 1; nth <= count; nth += 1) {
    const hostile = hostileTemplate(random);
    const name = `random template ${nth}`;
    const variables = [question("Why? ".repeat(200)), editor("const a = 1;\n".repeat(2_000))];
    const templated = { command: "run", agentDefinition: definitionOf([hostile]), variables };
    yield { ...attackBy("random", name, () => templated), name };
    const { path, language, text: content } = createHostileFile(random);
    const read = { command: "explain", variables: [editor(content, path, language)] };
    const fileName = `random file ${nth} (${language})`;
    yield { ...attackBy("random", fileName, () => read), name: fileName };
  }
}
