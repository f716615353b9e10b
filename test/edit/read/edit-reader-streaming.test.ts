// When things come out: as early as they are certain.
import { describe, expect, test } from "vitest";
import { EditReader } from "../../../src/edit/read/edit-reader.ts";
import type { EditReaderEvent } from "../../../src/edit/read/file-edit.ts";

const unitText = "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n";
const bodyText = "a\n=======\nb\n+++++++ REPLACE\n";

/** What each piece brings: text as it is, a unit as the line that it begins on, a fault as its code. */
function stream(...pieces: string[]) {
  const reader = new EditReader();
  const brief = (events: EditReaderEvent[]) =>
    joinTexts(events).map((event) => {
      if (event.type === "text") return event.text;
      if (event.type === "unit") return event.unit.line;
      return event.type === "fault" ? { fault: event.error.code } : event;
    });
  const steps = pieces.map((piece) => brief(reader.push(piece)));
  return [...steps, brief(reader.end())];
}

function joinTexts(events: readonly EditReaderEvent[]): EditReaderEvent[] {
  const joined: EditReaderEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === "text" && last?.type === "text") last.text += event.text;
    else joined.push({ ...event });
  }
  return joined;
}

describe("text", () => {
  test("comes out before its line ends", () => {
    expect(stream("Hel", "lo", " you\nand", " me")).toEqual([
      ["Hel"],
      ["lo"],
      [" you\nand"],
      [" me"],
      [],
    ]);
  });

  test.each([
    ["<file-ed", "itor>", "<file-editor>"],
    ["<ch", "apter>", "<chapter>"],
    ["+", "1", "+1"],
    ["<", "b>", "<b>"],
    ["``", "`a` b", "```a` b"],
    ["  ", "- a", "  - a"],
  ])("that begins like a mark is held back until it is none: %j and %j", (start, next, whole) => {
    expect(stream(start, next)).toEqual([[], [whole], []]);
  });

  test("in the middle of a line is never held back", () => {
    expect(stream("a ", "<file-edit ", "---", " ```", "<ch")).toEqual([
      ["a "],
      ["<file-edit "],
      ["---"],
      [" ```"],
      ["<ch"],
      [],
    ]);
  });

  test("comes out right after the line of a closing tag", () => {
    expect(stream(`<file-edit filePath="a">\n${unitText}`, "</file-edit>\n", "Bye")).toEqual([
      [],
      [1 + 1],
      ["Bye"],
      [],
    ]);
  });

  test("in chat tags comes out but for what may become the closing tag", () => {
    expect(stream("<chat>Hi", ". </", "b> </cha", "t>\nBye")).toEqual([
      ["Hi"],
      [". "],
      ["</b> "],
      ["\nBye"],
      [],
    ]);
  });

  test("of a code fence waits for its first line that is not blank", () => {
    expect(stream("```ts\n", "\n", "const", " a\n", "let", " b")).toEqual([
      [],
      [],
      [],
      ["```ts\n\nconst a\n"],
      ["let"],
      [" b"],
      [],
    ]);
  });

  test("that begins like a tag is held back up to 4,096 characters", () => {
    const start = `<file-edit filePath="${"a".repeat(4_000)}`;
    expect(stream(start, "b".repeat(100), "c")).toEqual([[], [start + "b".repeat(100)], ["c"], []]);
  });
});

describe("a unit", () => {
  test("in a tag comes out when the tag is closed", () => {
    expect(stream('<file-edit filePath="a">\n', unitText, "\n", "</file-edit>\n")).toEqual([
      [],
      [],
      [],
      [2],
      [],
    ]);
  });

  test("comes out when the next one begins, before the answer ends", () => {
    const pieces = ['<file-edit filePath="a">\n', unitText, "------- SEARCH\n", bodyText];
    expect(stream(...pieces, "</file-edit>")).toEqual([[], [], [2], [], [], [7]]);
  });

  test("comes out when its code fence is closed", () => {
    expect(stream(`\`\`\`\n${unitText}`, "```\n")).toEqual([[], [2], []]);
  });

  test("outside of tags comes out when text follows, and before the text", () => {
    expect(stream(unitText, "\n", "Bye.\n")).toEqual([[], [], [1, "Bye.\n"], []]);
  });

  test("that nothing follows comes out at the end", () => {
    expect(stream(unitText)).toEqual([[], [1]]);
    expect(stream(unitText.trimEnd())).toEqual([[], [1]]);
  });

  test("is none as long as text of it may follow", () => {
    const rest = "more\n+++++++ REPLACE\n";
    expect(stream(`<file-edit filePath="a">\n${unitText}`, rest, "</file-edit>\n")).toEqual([
      [],
      [],
      [2],
      [],
    ]);
  });
});

describe("a fault", () => {
  test("comes out with the line that makes it one", () => {
    expect(stream('<file-edit filePath="a">\n', "Hi.\n", unitText, "</file-edit>\n")).toEqual([
      [],
      [{ fault: "malformed" }],
      [],
      [],
      [],
    ]);
  });

  test("of a tag that is not closed comes at the end, after its units", () => {
    expect(stream(`<file-edit filePath="a">\n${unitText}`)).toEqual([
      [],
      [2, { fault: "truncated" }],
    ]);
  });

  test("of a truncated unit comes before the text that was held back for it", () => {
    const open = '<file-edit filePath="a">\n------- SEARCH\na\n';
    expect(stream(open, "</file-edit>\n", "Bye.\n")).toEqual([
      [],
      [],
      [],
      [{ fault: "truncated" }, "Bye.\n"],
    ]);
  });
});

describe("a cut in the stream", () => {
  test.each([
    ["between CR and LF of a SEARCH rule", ["------- SEARCH\r", `\n${bodyText}`], [1]],
    ["between CR and LF of a code fence", ["```\r", `\n${unitText}\`\`\`\n`], [2]],
    ["between CR and LF of an opening tag", ["<file-edit>\r", `\n${unitText}</file-edit>`], [2]],
    ["inside a SEARCH rule", ["--", "----- SEA", `RCH\n${bodyText}`], [1]],
    ["inside an opening tag", ["<fi", "le-edit file", `Path="a">\n${unitText}</file-edit>`], [2]],
    ["right before > of an opening tag", ["<file-edit", `>\n${unitText}</file-edit>`], [2]],
    ["inside a closing tag", [`<file-edit>\n${unitText}</fi`, "le-edit>\n"], [2]],
    ["in the blanks before a tag", [" ", ` <file-edit>\n${unitText}</file-edit>`], [2]],
  ])("%s changes nothing", (_, pieces, expected) => {
    expect(stream(...pieces).flat()).toEqual(expected);
    expect(stream(pieces.join("")).flat()).toEqual(expected);
  });

  test("in text that follows units in a code fence changes nothing", () => {
    const tagged = `\`\`\`\n<file-edit>\n${unitText}</file-edit>\n`;
    expect(stream(tagged, "te", "xt\n```\n")).toEqual([[3], ["te"], ["xt\n```\n"], []]);
    expect(stream(`${tagged}text\n\`\`\`\n`)).toEqual([[3, "text\n```\n"], []]);
  });

  test.each([
    [
      "a tag of nearly 4,096 characters",
      `<file-edit filePath="${"a".repeat(4_080)}">\n${unitText}</file-edit>`,
    ],
    ["a tag after 5,000 blanks", `${" ".repeat(5_000)}<file-edit>\n${unitText}</file-edit>`],
    ["a SEARCH rule of 5,000 characters", `${"-".repeat(5_000)} SEARCH\n${bodyText}`],
    ["blanks after a SEARCH rule", `------- SEARCH${" ".repeat(5_000)}\n${bodyText}`],
    ["blanks after a code fence", `\`\`\`${" ".repeat(5_000)}\n${unitText}\`\`\``],
  ])("after every character changes nothing: %s", (_, answer) => {
    const whole = new EditReader();
    const cut = new EditReader();
    const wholeEvents = [...whole.push(answer), ...whole.end()];
    const cutEvents = [...answer.split("").flatMap((piece) => cut.push(piece)), ...cut.end()];
    expect(shorten(cut.files)).toEqual(shorten(whole.files));
    expect(shorten(joinTexts(cutEvents))).toEqual(shorten(joinTexts(wholeEvents)));
  });
});

test("a fault comes at most once for a file", () => {
  const tag = (path: string) => `<file-edit filePath="${path}">\nHi.\n</file-edit>\n`;
  const reader = new EditReader();
  const events = [...reader.push(tag("a") + tag("a") + tag("b")), ...reader.end()];
  expect(events.map(({ type }) => type)).toEqual(["fault", "fault"]);
  expect(events).toMatchObject([{ filePath: "a" }, { filePath: "b" }]);
});

/** Long runs of one character as their length, so that a failure can be read. */
function shorten(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /(.)\1{20,}/g,
    (run, character) => `${character}{${run.length}}`,
  );
}
