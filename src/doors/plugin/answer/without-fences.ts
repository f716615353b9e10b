// Old plugins apply the first fenced block of a message, so a message that is nothing to apply has none.

/** A line that opens or closes a block, in a list or a quotation, too. */
const rule = /^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*)(`{3,}|~{3,})/;
const runs = /`{3,}|~{3,}/g;

/**
 * The Markdown with its fenced blocks as indented ones, which say the same to a reader. What is left of
 * backticks and tildes in runs of three or more is cut to one.
 */
export function withoutFences(markdown: string): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of markdown.split("\n")) {
    const [head = "", lead = "", marks = ""] = rule.exec(line) ?? [];
    const rest = line.slice(head.length);
    if (open === undefined && marks !== "" && !(marks[0] === "`" && rest.includes("`"))) {
      open = marks;
      if (lead.trim() !== "") lines.push(lead.trimEnd());
      // An indented block needs an empty line before it.
      if (lines.length > 0 && lines.at(-1)?.trim() !== "") lines.push("");
    } else if (open !== undefined && marks.startsWith(open) && rest.trim() === "") {
      open = undefined;
      lines.push("");
    } else {
      const text = line.replaceAll(runs, (run) => run.charAt(0));
      lines.push(open === undefined || text.trim() === "" ? text : `    ${text}`);
    }
  }
  // The first line may be indented code.
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

/** Code as an indented block. */
export function indentCode(code: string): string {
  const lines = code.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines
    .map((line) =>
      line.trim() === "" ? "" : `    ${line.replaceAll(runs, (run) => run.charAt(0))}`,
    )
    .join("\n");
}
