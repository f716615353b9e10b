// What a session is, and what its parts know of each other.
import type { Locale } from "../base/errors/locale.ts";
import type { LlmConfig } from "../model/own-model.ts";
import type { ToolPolicy } from "../tools/specs/policy.ts";
import type { Caller } from "../turn/chat-model.ts";
import type { Content, Entry, Line } from "./entry.ts";
import type { ReflectPrompt } from "./reflection.ts";
import type { SessionLog } from "./session-log.ts";

/** Another session that the model may ask. */
export interface SubAgent {
  id: string;
  /** The session's id where absent. */
  name?: string | undefined;
  /** Its system prompt where absent. */
  description?: string | undefined;
}

/** What happens with a task while another one of the session runs. */
type Strategy = "parallel" | "serial" | "reject";

export interface SessionOptions {
  llmConfig: LlmConfig;
  systemPrompt: string;
  /** Descriptions of services, as `openTools` takes them. */
  openSpecList: readonly unknown[];
  /** What their tools may change, of what the operator has granted; all of that where absent. */
  toolPolicy?: ToolPolicy | undefined;
  /** Names of the operator's servers of MCP; absent in sessions from before there were any. */
  mcpServers?: readonly string[];
  sessionList: readonly SubAgent[];
  /** Without a task for so long, what was said is forgotten. */
  timeoutSeconds: number;
  strategy: Strategy;
  /** Whether the calls of an answer are run one after the other; absent: reads run side by side. */
  toolStrategy?: "parallel" | "serial";
  /** Models that score each answer before it counts. */
  reflectors?: readonly ReflectPrompt[];
}

export interface SessionLimits {
  /** Sessions of one key or token. */
  maxSessions: number;
  /** Messages of a session; then it takes no task any more. */
  maxHistory: number;
  /** Tasks at once of one key or token, in this process. */
  maxSessionTasks: number;
  /** Milliseconds that a sub-agent may take. */
  subAgentTimeout: number;
}

export interface AskedTask {
  /** The client's own name for it, so that it may be sent again; made here where absent. */
  task?: string | undefined;
  contents: readonly Content[];
  caller: Caller;
  locale: Locale;
  /** Whether its client knows how calls are allowed. */
  canAllow?: boolean;
}

export interface StartedTask {
  task: string;
  /** The position of its first message. */
  at: number;
  /** Present where it runs in this process. */
  run?: RunningTask;
}

/** What is known of a session at a glance. */
export interface Head {
  /** The layout of what is kept. */
  format: 1;
  owner: string;
  /** When it was last noted that it is used; absent in sessions from before that was noted. */
  used?: number;
  /** How often it was cleared. */
  epoch: number;
  timeout: number;
  strategy: Strategy;
  /** Levels of sub-agents below it. */
  depth: number;
}

/** Where a session is: whoever has it may use it. */
export interface Session {
  readonly id: string;
  readonly head: Head;
  readonly log: SessionLog;
}

/** How a task has ended. `text`: the last answer. */
export interface TaskEnd {
  line: Line;
  text: string;
}

/** A task for which others may work. */
export interface ParentTask {
  readonly task: string;
  /** The sessions whose tasks wait for this one, and its own. */
  readonly chain: readonly string[];
  readonly caller: Caller;
  /** Whether its client knows how calls are allowed. */
  readonly canAllow: boolean;
  /** Adds what a sub-agent of this task says to the log. */
  hear(entries: readonly Entry[]): Promise<void>;
}

export interface RunningTask extends ParentTask {
  /** Resolves when nothing more comes; never rejects. */
  readonly done: Promise<TaskEnd>;
  /** Aborts what it waits for; a tool that writes ends first. */
  stop(): void;
}

/** All sessions, as a task of one of them sees them. */
export interface OtherSessions {
  readonly limits: SessionLimits;
  find(id: string, caller: Caller): Promise<Session>;
  readOptions(session: Pick<Session, "id">): Promise<SessionOptions>;
  start(session: Session, asked: AskedTask, parent?: ParentTask): Promise<StartedTask>;
}
