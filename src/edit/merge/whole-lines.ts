import type { EditUnit, ParsedUnit } from "../edit-unit.ts";

/**
 * Units that callers made themselves may lack the last line end, or have others. A byte-order mark is the
 * file's business.
 */
export function toWholeLines(unit: EditUnit | ParsedUnit): EditUnit | ParsedUnit {
  const [search, replace] = [wholeLines(unit.search), wholeLines(unit.replace)];
  return search === unit.search && replace === unit.replace ? unit : { ...unit, search, replace };
}

function wholeLines(text: string): string {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = body.includes("\r\n") ? body.replaceAll("\r\n", "\n") : body;
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}
