import type { Context, Hono, MiddlewareHandler } from "hono";
import type { TurnSources } from "../../turn/agents/resolve-turn.ts";
import type { Identify } from "../../run/auth/guards.ts";
import type { AppError } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { CommandTable } from "../../flows/commands.ts";
import type { Services } from "../../flows/flow.ts";
import type { Coding } from "../../flows/loop/coding.ts";
import type { ClientTalk, Talk } from "../../flows/loop/talk.ts";
import type { LlmConfig, OpenedModel } from "../../model/own-model.ts";
import type { Admission, Admissions } from "../../run/admissions.ts";
import type { LoopFigures } from "../../turn/figures.ts";
import type { Turn, TurnRequest } from "../../turn/turn.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import type { OpenTools } from "../../tools/specs/read-specs.ts";
import type { BodyLimits } from "./read-json.ts";
import { cors } from "hono/cors";
import type { Exchange } from "../../base/wire/exchange.ts";

/** Speaks one protocol; the only code that knows it. */
export interface Door {
  name: string;
  /** Adds its routes. */
  mount(app: Hono<DoorEnv>, host: DoorHost): void;
  /** Lets go of what it holds, when all turns are over. */
  close?(): Promise<void>;
  /** How refusals under a path are spelt, also those that no handler of the door gives (401, 404, 405). */
  errors?: {
    under: string;
    spell(error: AppError, requestId: string, locale: Locale): object;
  };
}

/** The limits of requests that come over HTTP. */
export interface RequestLimits extends BodyLimits {
  /** Commands of a definition that a request brings. */
  maxCommands: number;
  /** Context variables of a request, and of each command of a definition. */
  maxVariables: number;
}

/** How answers are streamed; all in milliseconds. */
interface StreamTimes {
  /** How long the head is held back so that a failure can still be a status. */
  firstByteHold: number;
  /** Silence after which a comment is sent. */
  heartbeat: number;
}

/** All that a door may ask of the house. A request goes through it in this order: identify, admit, resolve, run. */
export interface DoorHost
  extends
    Pick<Admissions, "admit" | "queue" | "isDraining">,
    Pick<CommandTable, "isAboutCode" | "isAboutFiles">,
    Pick<Services, "states" | "compilePattern" | "timers" | "now"> {
  /** Tells who asks, by the headers alone. */
  identify: Identify;
  /** @throws AppError `invalid_request`, `unknown_agent`, `unknown_command` */
  resolve(request: TurnRequest): Turn;
  /**
   * Runs the turn's command, and ends the admission with it.
   *
   * @param coding what the command `code` works on in this turn, in place of what the house has for all of them
   */
  run(admission: Admission, turn: Turn, coding?: Coding): AsyncGenerator<TurnEvent, void, void>;
  /** Goes on with a conversation that the door keeps; no command of the turn runs, and the admission ends with it. */
  converse(
    admission: Admission,
    turn: Turn,
    talk: Talk | ClientTalk,
  ): AsyncGenerator<TurnEvent, void, void>;
  /**
   * The model that a client has configured itself: a row by its name, or one at an address of its own.
   *
   * @throws AppError `invalid_request` with the field, `host_forbidden` where the operator's list has no such host
   */
  openModel(config: LlmConfig): OpenedModel;
  /** Tools of descriptions and of servers of MCP that a client has named; addresses are guarded. */
  openTools: OpenTools;
  /** What a turn is resolved from: the agents and commands that are published here, the language. */
  sources: TurnSources;
  limits: RequestLimits;
  stream: StreamTimes;
  createId: () => string;
  /** Headers that the guards want on every answer (CORS). */
  extraHeaders(c: Context<DoorEnv>): Record<string, string>;
  /** How long the event loop was held, where that is measured. */
  loop?: (() => LoopFigures) | undefined;
}

/** What every handler gets besides the request: its exchange. */
export interface DoorEnv {
  Bindings: { exchange: Exchange };
}

const exposed = ["x-request-id", "x-rightseat-context", "retry-after"];

/** @param corsOrigins other origins whose pages may call; `*` for all */
export function allowOrigins(corsOrigins: readonly string[]): MiddlewareHandler {
  const origin = corsOrigins.includes("*") ? "*" : [...corsOrigins];
  return cors({ origin, allowMethods: ["GET", "POST"], exposeHeaders: exposed, maxAge: 600 });
}
