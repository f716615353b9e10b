import { type Attack, editorOf, repeatLines, toBody } from "../attack.ts";

const file = repeatLines(3_000, (nth) => `  const value${nth} = compute(${nth}, "text ${nth}");`);
const comments = repeatLines(
  20_000,
  (nth) => `// comment number ${nth % 60} about nothing ${nth % 7}`,
);

const attack = (name: string, content: string, answer: () => string, command = "fix"): Attack => ({
  group: "answer",
  name: `answer: ${name}`,
  body: () => toBody(`answer: ${name}`, { command, contextVariables: [editorOf(content)] }),
  answer,
});

const unit = (search: string, replace: string): string =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** What a model may answer. */
export const answerAttacks: readonly Attack[] = [
  attack("REPLACE of blanks", file, () => unit("no such line\n", `x${" ".repeat(200_000)}y\n`)),
  attack("2,000 units that fit", file, () =>
    repeatLines(2_000, (nth) =>
      unit(`  const value${nth} = compute(${nth}, "text ${nth}");\n`, `  other(${nth});\n`),
    ),
  ),
  attack("2,000 units that nearly fit", file, () =>
    repeatLines(2_000, (nth) =>
      unit(
        [0, 1, 2, 3, 4, 5]
          .map(
            (k) =>
              `  const valu${k === 3 ? "X" : "e"}${nth + k} = compute(${nth + k}, "text ${nth + k}");\n`,
          )
          .join(""),
        "x\n",
      ),
    ),
  ),
  attack("lines that look like comments", comments, () =>
    repeatLines(200, (nth) =>
      unit(
        repeatLines(12, (k) =>
          k === 5 ? `// coment numbr ${nth}` : `// comment number ${k} about nothing ${k % 7}`,
        ),
        "x\n",
      ),
    ),
  ),
  attack("a unit as long as the file", comments, () => unit(comments, `${comments}// end\n`)),
  attack("elisions without end", file, () =>
    repeatLines(200, () =>
      unit(
        repeatLines(300, (k) =>
          k % 2 ? "// ..." : `  const value${k} = compute(${k}, "text ${k}");`,
        ),
        repeatLines(300, (k) => (k % 2 ? "// ..." : "q")),
      ),
    ),
  ),
  attack("everything is new", comments, () =>
    unit(
      comments,
      repeatLines(20_000, (nth) => `new ${nth}`),
    ),
  ),
  attack("seven megabytes without a line end", file, () => "x".repeat(7e6)),
  attack("a megabyte of SEARCH rules", file, () => "------- SEARCH\n".repeat(7e4)),
  attack("a megabyte of tags", file, () => '<file-edit filePath="a.ts">\n'.repeat(4e4)),
  attack("brackets for test cases", file, () => "[{".repeat(5e5), "unittest"),
  attack(
    "a list of 100,000 test cases",
    file,
    () => repeatLines(1e5, (nth) => `- happy path: case ${nth}`),
    "unittest",
  ),
  {
    group: "answer",
    name: "answer: one event in a million pieces",
    body: () =>
      toBody("answer: one event in a million pieces", {
        command: "chat",
        contextVariables: [{ name: "userInputPrompt", value: "Hi." }],
      }),
    *pieces() {
      const event = chunk("x".repeat(900_000));
      for (let from = 0; from < event.length; from += 8) yield event.slice(from, from + 8);
      yield 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    },
  },
  {
    group: "answer",
    name: "answer: 300,000 tiny events",
    body: () =>
      toBody("answer: 300,000 tiny events", {
        command: "chat",
        contextVariables: [{ name: "userInputPrompt", value: "Hi." }],
      }),
    *pieces() {
      const many = chunk("y").repeat(300);
      for (let nth = 0; nth < 1_000; nth += 1) yield many;
      yield 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    },
  },
];
