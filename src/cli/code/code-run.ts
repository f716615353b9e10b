import type { Config } from "../../setup/config.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import type { PathTest } from "../../workspace/search/match-glob.ts";
import type { CodeTexts } from "./code-texts.ts";

/** A run as the person has asked for it. */
export interface CodeRun {
  config: Config;
  agents: readonly [AgentDefinition];
  texts: CodeTexts;
  /** The real path of the folder that the agent works on. */
  root: string;
  /** As the person has named it. */
  directory: string;
  request: string;
  /** The command that checks the work. */
  check: readonly string[] | undefined;
  isYes: boolean;
  allows: PathTest;
  model: string | undefined;
  key: string | undefined;
  isJson: boolean;
  /** Without colours, the words as the model wrote them. */
  isPlain: boolean;
  /** The folder has settings of its own, which do not count. */
  hasIgnoredSettings: boolean;
}
