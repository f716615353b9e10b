import type { FileIndex } from "./file-index.ts";

/**
 * All solid lines of the file from which on its forms are those asked for. Linear in the file, whatever
 * the forms (Knuth, Morris, Pratt); a rare form makes it as cheap as the number of its places.
 */
export function findSequence(index: FileIndex, forms: readonly number[]): readonly number[] {
  if (forms.length === 0 || forms.includes(-1)) return [];
  // Units that quote the same lines are looked up once.
  const key = forms.join(" ");
  const known = index.sequences.get(key) ?? search(index, forms);
  index.sequences.set(key, known);
  return known;
}

function search(index: FileIndex, forms: readonly number[]): number[] {
  let rarest = 0;
  for (const [nth, form] of forms.entries()) {
    if (countOf(index, form) < countOf(index, forms[rarest] ?? -1)) rarest = nth;
  }
  const form = forms[rarest] ?? -1;
  const count = countOf(index, form);
  if (count * forms.length > index.forms.length) return findAll(index.forms, forms);
  const found: number[] = [];
  for (const place of index.placesOf(form, count)) {
    const first = place - rarest;
    if (first >= 0 && forms.every((wanted, nth) => index.forms[first + nth] === wanted)) {
      found.push(first);
    }
  }
  return found;
}

function countOf(index: FileIndex, form: number): number {
  return index.counts[form] ?? 0;
}

function findAll(text: readonly number[], pattern: readonly number[]): number[] {
  const borders = [0];
  for (let at = 1, border = 0; at < pattern.length; at += 1) {
    while (border > 0 && pattern[at] !== pattern[border]) border = borders[border - 1] ?? 0;
    if (pattern[at] === pattern[border]) border += 1;
    borders.push(border);
  }
  const found: number[] = [];
  for (let at = 0, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === pattern[matched]) matched += 1;
    if (matched < pattern.length) continue;
    found.push(at - matched + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}
