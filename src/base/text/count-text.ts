/**
 * How often a text holds another, places that overlap counted once. Linear whatever the texts (Knuth,
 * Morris, Pratt), which `includes`, `indexOf` and `split` are not: where long parts repeat they take the
 * product of both lengths, 16 s for 400,000 characters.
 *
 * @param part at least one character
 * @param most counting stops there
 */
export function countText(text: string, part: string, most = Infinity): number {
  const borders = new Int32Array(part.length);
  for (let at = 1, border = 0; at < part.length; at += 1) {
    const sign = part.charCodeAt(at);
    while (border > 0 && sign !== part.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (sign === part.charCodeAt(border)) border += 1;
    borders[at] = border;
  }
  let count = 0;
  for (let at = 0, matched = 0; at < text.length && count < most; at += 1) {
    const sign = text.charCodeAt(at);
    while (matched > 0 && sign !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (sign === part.charCodeAt(matched)) matched += 1;
    if (matched < part.length) continue;
    count += 1;
    matched = 0;
  }
  return count;
}

/** Whether a text holds another; linear, as {@link countText}. */
export function hasText(text: string, part: string): boolean {
  return part === "" || countText(text, part, 1) === 1;
}
