import type { EditError } from "../../edit.ts";

/** The head of a file and the head of a hunk, as `diff -u` and git write them. */
const unifiedHead = /^(?:---|\+\+\+) \S/m;
const unifiedHunk = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

const units =
  "a line `------- SEARCH`, the lines to find, a line `=======`, the new lines, a line `+++++++ REPLACE`";

/**
 * Adds what a person who knows other tools has to be told: what is wanted instead of a unified diff that cannot be read, and
 * how a file is created.
 *
 * @param text what was to be read as a diff
 */
export function explainError(error: EditError, text: string): EditError {
  const advice = adviceFor(error, text);
  return advice === undefined ? error : { ...error, message: `${error.message} ${advice}` };
}

function adviceFor({ code }: EditError, text: string): string | undefined {
  if (code === "missing-file")
    return "To create it, write one unit with nothing between `------- SEARCH` and `=======`.";
  if (code !== "malformed" || !unifiedHead.test(text) || !unifiedHunk.test(text)) return undefined;
  return `This is a unified diff, which \`git apply\` and \`patch\` take. Write units here: ${units}.`;
}
