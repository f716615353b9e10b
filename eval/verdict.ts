/** What a case is judged by. What a flow does not have, or what did not come to pass, is absent. */
export interface Verdict {
  /** What became of the edit that was asked for. */
  edit?: "first" | "repaired" | "refused" | "none";
  /** The file has no more syntax errors than before, or the block of tests has none. */
  isSyntaxKept?: boolean;
  /** Outside of comments the file is as it was. */
  isCodeSame?: boolean;
  /** At which answer of the model the JSON could be read. */
  json?: "first" | "repaired" | "invalid";
  isDefectGone?: boolean;
  /** The prompt held what the answer needs of the file. */
  isContextHeld?: boolean;
  /** The answer is one that a person can use as it is. */
  isWhole?: boolean;
  /** What was not as it should be, each a sentence. */
  reasons: string[];
  /** A fault of the turn, not of the answer; then nothing else was judged. */
  failure?: string;
}

/** What must not be, whatever the model says: the faults that `--expect-sound` looks for. */
export function isSound(verdict: Verdict): boolean {
  const { failure, isSyntaxKept, isCodeSame, json, isWhole, isContextHeld } = verdict;
  return (
    failure === undefined &&
    isSyntaxKept !== false &&
    isCodeSame !== false &&
    json !== "invalid" &&
    isWhole !== false &&
    isContextHeld !== false
  );
}
