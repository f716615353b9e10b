import { readYaml, type YamlValue } from "./read-yaml.ts";

/**
 * Reads YAML as {@link readYaml} does; several documents are a list. Tabs that indent count as two spaces, where it does
 * not read otherwise.
 */
export function readDocuments(lines: readonly string[], isLoose = false): YamlValue | undefined {
  const whole = readYaml(lines, isLoose);
  if (whole !== undefined) return whole;
  if (lines.some((line) => line.startsWith("\t"))) return readYaml(lines.map(withoutTabs), isLoose);
  const documents = splitDocuments(lines);
  if (documents.length < 2) return undefined;
  const values = documents.map((each) => readYaml(each));
  return values.every((value) => value !== undefined) ? values : undefined;
}

function withoutTabs(line: string): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  return indent.replaceAll("\t", "  ") + text;
}

function splitDocuments(lines: readonly string[]): string[][] {
  const documents: string[][] = [[]];
  for (const line of lines) {
    if (line.trimEnd() === "---") documents.push([]);
    else documents.at(-1)?.push(line);
  }
  return documents.filter((each) => each.some((line) => line.trim() !== ""));
}
