// The cases of test/fixtures/edit-cases: a file, an edit, and what comes of it. A case begins with `%%% name`, its
// parts with `%% kind` (`%% file as before` is that of the case above); in them `\s` is a space at the end of a line, `\-` a missing line end, `\u....` and so on as
// in JSON.
import { describe, expect, test } from "vitest";
import * as edit from "../../src/edit.ts";

type Result = edit.EditResult | edit.ParsedDiff;
type Part = [kind: string, text: string, rest: string];

const tables = import.meta.glob("../fixtures/edit-cases/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

function decode(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|-\n|.)/g, (found, code?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return { "\\r": "\r", "\\t": "\t", "\\s": " ", "\\-\n": "" }[found] ?? found.slice(1);
  });
}

function parseCases(text: string): [name: string, parts: Part[]][] {
  let file = "";
  const cases = text.split(/^%%% /m).slice(1);
  return cases.map((each) => {
    const [name = "", ...parts] = each.split(/^%% /m);
    const read = parts.map((part): Part => {
      const end = part.indexOf("\n");
      const head = part.slice(0, end);
      const raw = part.slice(end + 1);
      const kind = /^(?:for the model|\S+)/.exec(head)?.[0] ?? "";
      const isJson = ["unit", "lines", "reads"].includes(kind);
      if (head === "file") file = decode(raw);
      if (kind === "file") return [kind, file, ""];
      return [kind, isJson ? raw : decode(raw), head.slice(kind.length + 1)];
    });
    return [name.trimEnd(), read];
  });
}

const jsonLines = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

function run(parts: readonly Part[]): Result[] | undefined {
  const texts = (kind: string) => parts.filter((part) => part[0] === kind).map(([, text]) => text);
  const [file] = texts("file");
  const [code] = texts("code");
  const [lines] = texts("lines");
  const [diff] = texts("diff");
  const [parse] = texts("parse");
  const [answer] = texts("answer");
  if (code !== undefined) return [edit.applyCodeEdit(file, code)];
  if (lines !== undefined) return [edit.applyLineEdits(file, jsonLines(lines) as edit.LineEdit[])];
  if (diff !== undefined) return [edit.applyDiff(file, diff)];
  if (parse !== undefined) return [edit.parseDiff(parse)];
  if (answer !== undefined) {
    const parsed = edit.parseAnswer(answer, texts("known")[0]);
    expect(printAnswer(parsed)).toBe(texts("reads")[0]);
    const sound = parsed.files.filter(({ error }) => error === undefined);
    return file === undefined ? [] : sound.map(({ units }) => edit.applyUnits(file, units));
  }
  const replaced = texts("replace");
  const plain = texts("search").map((search, nth) => ({ search, replace: replaced[nth] ?? "" }));
  const parsed = texts("unit").map((text) => JSON.parse(text) as edit.ParsedUnit);
  const rest = (kind: string) => parts.find((part) => part[0] === kind)?.[2];
  const places = rest("places")
    ?.split(", ")
    .map((pair) => pair.split(":").map(Number) as [number, number]);
  const [startLine = 0, endLine = 0] = rest("within")?.split("-").map(Number) ?? [];
  return [
    edit.applyUnits(file, parsed.length > 0 ? parsed : plain, {
      ...(places === undefined ? {} : { places: new Map(places) }),
      ...(endLine === 0 ? {} : { within: { startLine, endLine } }),
    }),
  ];
}

function printAnswer({ text, files, alternatives }: edit.ParsedAnswer): string {
  const sound = files.map(({ error, ...file }) =>
    error === undefined ? file : { ...file, error: { code: error.code, unit: error.unit } },
  );
  const lines = [text, ...sound].map((each) => JSON.stringify(each));
  if (alternatives !== undefined) lines.push(`alternatives ${JSON.stringify(alternatives)}`);
  return lines.map((line) => `${line}\n`).join("");
}

const range = ({ startLine, endLine }: edit.LineRange): string => `${startLine}-${endLine}`;

function printFault({ code, unit, candidates = [], nearest, isDone }: edit.EditError): string {
  return [
    code,
    ...(unit === undefined ? [] : [`unit ${unit}`]),
    ...(candidates.length === 0 ? [] : [`at ${candidates.map(range).join(", ")}`]),
    ...(nearest === undefined ? [] : [`near ${range(nearest)}`]),
    ...(isDone === undefined ? [] : ["done"]),
  ].join(" ");
}

function print(result: Result): Part[] {
  if (!result.ok) {
    expect(result).not.toHaveProperty("text");
    const { error } = result;
    const { message, forModel, nearest, others = [] } = error;
    return [
      ["refused", "", [error, ...others].map(printFault).join("; ")],
      ["message", message, ""],
      ["for the model", forModel, ""],
      ["difference", nearest?.diff ?? "", ""],
    ];
  }
  if (!("text" in result)) {
    return [["reads", result.units.map((unit) => `${JSON.stringify(unit)}\n`).join(""), ""]];
  }
  return [
    ["gives", result.text, result.units.map((unit) => `${unit.level} ${range(unit)}`).join(", ")],
  ];
}

describe.each(Object.entries(tables))("%s", (_file, text) => {
  test.each(parseCases(text))("%s", (_name, parts) => {
    const outcomes = ["gives", "refused", "message", "for the model", "difference", "reads"];
    const isAnswer = parts.some(([kind]) => kind === "answer");
    const wanted = parts.filter(
      ([kind]) => outcomes.includes(kind) && !(isAnswer && kind === "reads"),
    );
    const kinds = new Set(wanted.map(([kind]) => kind));
    const got = run(parts)?.flatMap(print) ?? [];
    expect(got.filter(([kind]) => kinds.has(kind))).toEqual(wanted);
  });
});
