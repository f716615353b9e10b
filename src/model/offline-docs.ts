// A doc comment that says what a signature shows.
import type { EditUnit } from "../edit/edit-unit.ts";
import type { CodeSymbol } from "../symbols/code-analysis.ts";
import type { OfflineTexts } from "./offline-texts.ts";

/** The unit that puts a doc comment before (in Python: into) a declaration; undefined if it has one. */
export function proposeDocComment(
  text: string,
  language: string,
  symbol: CodeSymbol,
  texts: OfflineTexts,
): EditUnit | undefined {
  if (symbol.docComment !== undefined) return undefined;
  const lines = text.split(/\r?\n/);
  const { startLine } = symbol.range;
  const bodyLine = symbol.body?.startLine ?? startLine;
  const isInside = language === "python";
  const head = lines.slice(startLine - 1, isInside ? Math.max(startLine, bodyLine - 1) : startLine);
  const indent = /^\s*/.exec(head[0] ?? "")?.[0] ?? "";
  const comment = writeComment(language, symbol, texts);
  if (isInside) {
    if (bodyLine <= startLine) return undefined;
    const inner = /^\s*/.exec(lines[bodyLine - 1] ?? "")?.[0] ?? `${indent}    `;
    return toUnit(
      lines,
      startLine,
      [...head, ...comment.map((line) => (line === "" ? "" : inner + line))],
      head.length,
    );
  }
  return toUnit(lines, startLine, [...comment.map((line) => indent + line), ...head], head.length);
}

function toUnit(
  lines: readonly string[],
  startLine: number,
  replaced: readonly string[],
  count: number,
): EditUnit {
  // With the lines below until the quote stands in the text only once.
  let extra = 0;
  const all = `\n${lines.join("\n")}\n`;
  const quote = () => lines.slice(startLine - 1, startLine - 1 + count + extra).join("\n");
  while (
    all.indexOf(`\n${quote()}\n`) !== all.lastIndexOf(`\n${quote()}\n`) &&
    startLine + count + extra <= lines.length
  ) {
    extra += 1;
  }
  const below = lines.slice(startLine - 1 + count, startLine - 1 + count + extra);
  return { search: `${quote()}\n`, replace: `${[...replaced, ...below].join("\n")}\n` };
}

function writeComment(language: string, symbol: CodeSymbol, texts: OfflineTexts): string[] {
  const { name, parameters, returnType } = symbol;
  const summary = texts.docSummary(name);
  const params = parameters.filter(
    (parameter) => parameter.name !== "self" && parameter.name !== "cls",
  );
  const hasResult =
    returnType !== undefined &&
    !/^(?:void|None|unit|\(\))$/.test(returnType.replace(/^[:\->\s]+/, ""));
  switch (language) {
    case "python":
      return [
        `"""${summary}`,
        ...(params.length > 0 ? ["", "Args:"] : []),
        ...params.map((parameter) => `    ${parameter.name}: ${texts.docParameter}`),
        ...(hasResult ? ["", "Returns:", `    ${texts.docResult}`] : []),
        '"""',
      ];
    case "go":
      return [`// ${name} ${texts.docGo}`];
    case "rust":
    case "csharp":
      return language === "rust"
        ? [`/// ${summary}`]
        : [
            "/// <summary>",
            `/// ${summary}`,
            "/// </summary>",
            ...params.map(
              (parameter) => `/// <param name="${parameter.name}">${texts.docParameter}</param>`,
            ),
            ...(hasResult ? [`/// <returns>${texts.docResult}</returns>`] : []),
          ];
    case "ruby":
      return [
        `# ${summary}`,
        ...params.map((parameter) => `# @param ${parameter.name} ${texts.docParameter}`),
        ...(hasResult ? [`# @return ${texts.docResult}`] : []),
      ];
    default:
      return [
        "/**",
        ` * ${summary}`,
        ...(params.length + (hasResult ? 1 : 0) > 0 ? [" *"] : []),
        ...params.map((parameter) => ` * @param ${parameter.name} ${texts.docParameter}`),
        ...(hasResult
          ? [
              ` * @${language === "java" || language === "php" ? "return" : "returns"} ${texts.docResult}`,
            ]
          : []),
        " */",
      ];
  }
}
