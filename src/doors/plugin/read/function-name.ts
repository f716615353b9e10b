/** In characters; a longer text does not name a function. */
const maxName = 200;
/** In characters; to look through more takes too long. */
const maxCode = 200_000;

const part = /[\p{ID_Continue}$]/u;
const words = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

/**
 * The name in what an IDE calls a function, which may be its whole head: `int total(items)` and
 * `func (s *Store) total` are `total`. A text without space and parameters is a name as it is.
 *
 * @returns undefined where there is none
 */
export function findFunctionName(text: string): string | undefined {
  const head = text.trim();
  if (head === "" || head.length > maxName) return undefined;
  if (!/[\s(]/.test(head)) return head;
  const plain = head.replaceAll(/<[^<>()]*>/g, "");
  const called = [...plain.matchAll(words)].find(
    ({ 0: word, index }) => plain[index + word.length] === "(",
  );
  return (
    called?.[0] ??
    plain
      .replaceAll(/\([^()]*\)/g, " ")
      .match(words)
      ?.at(-1)
  );
}

/** Whether code holds a name as a word; of `Cart.total` the last one. Of long code it is taken for granted. */
export function holdsName(code: string, name: string): boolean {
  if (code.length > maxCode) return true;
  const last = name.match(words)?.at(-1);
  if (last === undefined) return code.includes(name);
  for (let at = code.indexOf(last); at !== -1; at = code.indexOf(last, at + last.length)) {
    const around = `${code[at - 1] ?? ""} ${code[at + last.length] ?? ""}`;
    if (!part.test(around)) return true;
  }
  return false;
}
