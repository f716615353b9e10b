import type { BodyName } from "../bodies.ts";
import type { UpstreamSettings } from "../upstream-settings.ts";
import type { Quantiles } from "./histogram.ts";

/** Whom a load is for. */
export interface Subject {
  url: string;
  pid: number;
  upstreamUrl: string;
  upstreamPid: number;
  body: BodyName;
  settings: UpstreamSettings;
}

/** Every event of `streams` streams is parsed; nothing is timed. */
export interface VerifyCommand extends Subject {
  kind: "verify";
  streams: number;
}

/** Streams follow each other on `connections` connections. */
export interface RunCommand extends Subject {
  kind: "run";
  connections: number;
  /** Seconds over which the connections start. */
  stagger: number;
  /** Seconds before the measuring begins. */
  warmUp: number;
  /** Seconds to measure. */
  measure: number;
}

/** `streams` streams are opened and held, until memory has been read. */
export interface HoldCommand extends Subject {
  kind: "hold";
  streams: number;
}

export type Command = VerifyCommand | RunCommand | HoldCommand;

export interface LoadResult {
  complete: number;
  failed: number;
  /** Why streams failed, and how often. */
  failures: Record<string, number>;
  /** Buttons and trees that came; counted by `verify` only. */
  actions: number;
}

export interface RunResult extends LoadResult {
  streamsPerSecond: number;
  /** Microseconds; undefined where the system does not tell. */
  cpuPerStream: number | undefined;
  /** Shares of one core, 0 to 1. */
  utilisation: { server: number | undefined; generator: number; upstream: number | undefined };
  firstChunk: Quantiles | undefined;
  latency: Quantiles | undefined;
}

export interface HoldResult extends LoadResult {
  /** Undefined where the system does not tell. */
  bytesPerStream: number | undefined;
  /** Of the server before the first stream. */
  bytesBefore: number | undefined;
  /** Seconds that the opening took. */
  seconds: number;
}

export type Reply =
  | { ok: true; result: LoadResult | RunResult | HoldResult }
  | { ok: false; problem: string };
