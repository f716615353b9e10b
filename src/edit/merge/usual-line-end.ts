/** The line end that most lines of a text have. */
export function usualLineEnd(text: string): "\n" | "\r\n" {
  let [crlf, lf] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text.charCodeAt(at - 1) === 13) crlf += 1;
    else lf += 1;
  }
  return crlf > lf ? "\r\n" : "\n";
}
