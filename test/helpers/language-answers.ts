// What the scripted model answers, from `test/fixtures/answers/<language>/<case>.md`: a line such as
// `<!-- en -->` says for which locale the lines below it are, `<!-- again -->` begins the second answer.
import type { Script } from "../../src/testing.ts";

const answers = import.meta.glob("/test/fixtures/answers/*/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});
const sources = import.meta.glob("/eval-cases/code/*", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A script for each answer, line by line; fails without a file. */
export function readAnswers(language: string, name: string, locale: string): Script[] {
  const text = find(answers, `/test/fixtures/answers/${language}/${name}.md`);
  const scripts: string[][] = [[]];
  let isMeant = true;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^<!-- (en|zh|both|again) -->\n$/.exec(line)?.[1];
    if (mark === undefined) {
      if (isMeant) scripts.at(-1)?.push(line);
      continue;
    }
    isMeant = mark === "both" || mark === "again" || mark === locale;
    if (mark === "again") scripts.push([]);
  }
  return scripts;
}

/** A file of `eval-cases/code`. */
export function readSource(name: string): string {
  return find(sources, `/eval-cases/code/${name}`);
}

function find(files: Record<string, string>, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`There is no file "${path}".`);
  return text;
}
