/** What is wrong with a definition. `info` asks for nothing; the others fail the check. */
export interface LintProblem {
  /** From the root of the definition: `commands[2].messageTemplates[0].template`. */
  path: string;
  severity: "error" | "warning" | "info";
  message: string;
}
