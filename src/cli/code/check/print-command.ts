/** A command as one would type it in a shell: for people and models to read, it is never run so. */
export function printCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

export function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
