// Whether one line is another one anew, by what the two say.
import { declaredName, isImport, wordsOf } from "./source-lines.ts";

/** It is about the same thing: begins with the same word or has all words of the old line, and opens a block as well. */
export function isNewLine(was: string, now: string): boolean {
  const [old, own] = [thingsOf(was), thingsOf(now)];
  if (old.size > 0 && own.size > 0 && ![...old].some((name) => own.has(name))) return false;
  const isDeclared = declaredName(was) !== undefined && /[{:]$|=>$/.test(was);
  // With more parameters a declaration is another one.
  if (isDeclared && was.split(",").length !== now.split(",").length) return false;
  if (was.endsWith(":") !== now.endsWith(":")) return false;
  const [first, bare] = [firstWord, (text: string) => firstWord(text.replace(leading, ""))];
  return first(was) === first(now) || bare(was) === bare(now) || hasWords(now, was);
}

/** It has all words of the other line, and that has some. */
export function hasWords(now: string, was: string): boolean {
  const [words, own] = [wordsOf(now), [...wordsOf(was)]];
  return own.length >= 2 && own.every((word) => words.has(word));
}

/** The number of an item, and words that say nothing of what follows. */
const leading = /^(?:(?:\d+[.)]|await|return|yield|const|let|var|val|auto)\s+)+(?=[\w$])/;

function firstWord(text: string): string | undefined {
  return /[\p{L}\p{N}_$]+/u.exec(text)?.[0];
}

const label = /^(?:case|when) +([^:=>]+)/;
/** `Type name(...);` and `Type Name { get; }`, without a body. */
const member = /^(?:[\w.<>[\],?*&]+ )+[*&]?([\w$]+)(?:\(| ?\{ ?get\b)/;
const statement =
  /^(?:return|throw|raise|await|new|yield|delete|else|in|if|elif|while|for|not|go|defer|echo)\b/;

/** What a line declares, imports, or has as its label: a line about another one comes beside it. */
function thingsOf(line: string): Set<string> {
  if (isImport(line)) return importedNames(line);
  const text = line.slice(0, 300);
  const isMember = /[;}]$/.test(text) && !statement.test(text);
  const name =
    declaredName(text) ?? label.exec(text)?.[1] ?? (isMember ? member.exec(text)?.[1] : undefined);
  return new Set(name === undefined ? [] : [name.trim()]);
}

/** The words that an import binds; of a file its name. */
export function importedNames(text: string): Set<string> {
  const [own = ""] = text
    .replace(/^(?:from\s+\S+\s+)?(?:import(?:\s+(?:type|qualified))?|use|using|#include)\b/, "")
    .split(/\bfrom\b/);
  const path = own
    .replace(/\.\w{1,3}(?=["'>])/, "")
    .replaceAll(/(?<![\w.*])[\w.*]+ as (?=\w)/g, "");
  return wordsOf(path.split(/[.:\\/]/).at(-1) ?? "");
}
