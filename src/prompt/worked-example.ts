import { type Sample, samples } from "./samples.ts";
import type { Locale } from "../base/errors/locale.ts";
import type { PromptFacts } from "../turn/focus.ts";
import { printActiveEditor } from "../turn/context/active-editor.ts";
/** Makes what a command shows of a sample. */
export type MakeExample = (sample: Sample, locale: Locale) => Example;

interface Example {
  code: string;
  search: string;
  replace: string;
  /** The line that the answer names; else the first one of `search`. */
  line?: string;
}

/** Language ids of editors that share a sample. */
const alike: Readonly<Record<string, string>> = {
  javascriptreact: "javascript",
  typescriptreact: "typescript",
  tsx: "typescript",
  jsx: "javascript",
};

/** @param language the editor's language id; of an unknown one JavaScript is shown */
export function workedExample(
  make: MakeExample,
  language: string,
  locale: Locale,
): Required<
  Pick<PromptFacts, "example" | "examplePath" | "exampleLine" | "exampleSearch" | "exampleReplace">
> {
  const id = language.toLowerCase();
  const name = Object.hasOwn(alike, id) ? (alike[id] ?? "") : id;
  const all: Readonly<Record<string, Sample>> = samples;
  const sample = (Object.hasOwn(all, name) ? all[name] : undefined) ?? samples.javascript;
  const { code, search, replace, line = search.split("\n")[0] ?? "" } = make(sample, locale);
  const lines = code.split("\n");
  const editor = { filePath: sample.path, language: sample.language, content: code };
  return {
    example: printActiveEditor(editor),
    examplePath: sample.path,
    exampleLine: String(lines.indexOf(line) + 1),
    exampleSearch: search,
    exampleReplace: replace,
  };
}
