import { type Theme, render } from "markdansi";

/** Colours that are readable on light and dark screens. */
const theme: Theme = {
  strong: { bold: true },
  emph: { italic: true },
  inlineCode: { color: "cyan" },
  blockCode: {},
  link: { color: "blue" },
  tableHeader: { bold: true },
  tableCell: {},
};
const shared = { color: true, hyperlinks: false, theme } as const;
/** With a sign before it, a text is one paragraph whatever it begins with. */
const guard = ".";

/** Longer texts stay as they are: some of them would take the parser seconds; in characters. */
const maxText = 4_000;
const maxTable = 40_000;
/** Signs that may begin or end something, of which the parser compares each with the others. */
const mark = /[*_~`[\]()<>&\\!:]/g;
const maxMarks = 400;

/** Renders what may be inside of a line: emphasis, code, links. No line ends come or go. */
export function renderInline(text: string): string {
  if (isHard(text)) return text;
  const rendered = render(guard + text, { ...shared, wrap: false });
  return rendered.replace(guard, "").replaceAll("\n", " ").trimEnd();
}

/**
 * Renders a whole table.
 *
 * @param width in columns; wider cells are wrapped
 */
export function renderTable(markdown: string, width: number): string {
  if (markdown.length > maxTable || markdown.split("|").some(isHard)) return markdown;
  return render(markdown, { ...shared, width, wrap: true, tableTruncate: false }).trim();
}

function isHard(text: string): boolean {
  return text.length > maxText || (text.match(mark)?.length ?? 0) > maxMarks;
}
