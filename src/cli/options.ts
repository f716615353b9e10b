/** The options of all commands, as they were written; the rows in `commands.ts` say which command has which. */
export interface Options {
  agent?: string;
  allow?: string[];
  code?: boolean;
  config?: string;
  continue?: boolean;
  definition?: string;
  delete?: string;
  dir?: string;
  dryRun?: boolean;
  file?: string;
  force?: boolean;
  format?: "text" | "json" | "github";
  host?: string;
  json?: boolean;
  jsonl?: boolean;
  key?: string;
  language?: string;
  lines?: string;
  list?: boolean;
  log?: string;
  maxSteps?: string;
  model?: string;
  plain?: boolean;
  port?: string;
  prompt?: string;
  raw?: boolean;
  receipt?: boolean;
  /** True where no id was written. */
  resume?: string | true;
  /** False after `--no-rules`; undefined where neither was written. */
  rules?: boolean;
  /** False after `--no-stream`. */
  stream?: boolean;
  task?: string;
  url?: string;
  yes?: boolean;
}
