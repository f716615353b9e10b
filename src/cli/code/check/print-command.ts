/** A command as a person types it in a shell. People and models read it; it is never run in this form. */
export function printCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

export function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
