// Servers of MCP that are commands: each in a process group of its own, that ends as a whole.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { JSONRPCMessage, ReadBuffer, Transport } from "@modelcontextprotocol/client";
import { nameCause } from "../../base/errors/describe-cause.ts";
import { guardedFetch } from "../../base/wire/address-guard.node.ts";
import type { Proxies } from "../../base/wire/proxies.node.ts";
import type { McpCommand } from "./mcp-config.ts";
import type { McpOptions, OpenCommand } from "./mcp-servers.ts";
import { reject } from "./spec-document.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Between asking a server to end and the next signal, in milliseconds. */
const grace = 1_000;
/** Messages that nobody has asked for. */
const maxUnasked = 10_000;

/**
 * What `createMcpServers` takes on Node.
 *
 * @param setting a file, or the configuration itself
 * @throws AppError `invalid_request` where the file cannot be read
 */
export function readNodeMcp(
  setting: unknown,
  environment: McpOptions["environment"],
  connectTimeout: number,
  proxies: Proxies | undefined,
): [config: unknown, options: Pick<McpOptions, "environment" | "openFetch" | "openCommand">] {
  const openFetch: McpOptions["openFetch"] = (hosts) =>
    guardedFetch({ hosts, allowsPublic: false, connectTimeout, proxies });
  const config = typeof setting === "string" ? readFile(setting) : setting;
  return [config, { environment, openFetch, openCommand: commandOpener() }];
}

function readFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (thrown) {
    const isBroken = thrown instanceof SyntaxError;
    return reject(
      path,
      isBroken ? "is not JSON" : `cannot be read: ${nameCause(thrown)}`,
      isBroken ? "不是 JSON" : `无法读取：${nameCause(thrown)}`,
    );
  }
}

/** What runs when we end is ended, too. */
function commandOpener(): OpenCommand {
  const running = new Set<() => void>();
  const killAll = (): void => running.forEach((kill) => kill());
  return (command, maxMessage, onError) =>
    openCommand(command, maxMessage, onError, (kill) => {
      if (running.size === 0) process.once("exit", killAll);
      running.add(kill);
      return () => {
        running.delete(kill);
        if (running.size === 0) process.off("exit", killAll);
      };
    });
}

async function openCommand(
  { command, args, env, cwd }: McpCommand,
  maxMessage: number,
  onError: (text: string) => void,
  note: (kill: () => void) => () => void,
): Promise<Transport> {
  const { ReadBuffer, serializeMessage } = await import("@modelcontextprotocol/client");
  const stdio = await import("@modelcontextprotocol/client/stdio");
  const own = cwd === undefined ? {} : { cwd };
  // There are no such groups, and commands are found otherwise.
  if (process.platform === "win32")
    return new stdio.StdioClientTransport({ command, args: [...args], env, ...own });
  const start = (): Child => {
    const child = spawn(command, args, {
      ...own,
      // Of our own environment only what every program needs: no key of ours.
      env: { ...stdio.getDefaultEnvironment(), ...env },
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stderr.setEncoding("utf8").on("data", onError);
    return child;
  };
  return connectGroup(start, new ReadBuffer({ maxBufferSize: maxMessage }), serializeMessage, note);
}

/** By `pid` and `stderr` the package knows that a server which is silent may be an old one. */
function connectGroup(
  start: () => Child,
  buffer: ReadBuffer,
  serialize: (message: JSONRPCMessage) => string,
  note: (kill: () => void) => () => void,
): Transport & { pid: number | undefined; stderr: null } {
  let child: Child | undefined;
  let unasked = 0;
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child?.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  const kill = (): void => signal("SIGKILL");

  const take = (chunk: Buffer): void => {
    try {
      buffer.append(chunk);
    } catch {
      return kill();
    }
    for (; unasked <= maxUnasked; unasked += 1) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message);
      } catch {
        // A line that is no message.
      }
    }
    kill();
  };

  const transport: ReturnType<typeof connectGroup> = {
    stderr: null,
    pid: undefined,
    async start() {
      const started = start();
      await once(started, "spawn");
      child = started;
      transport.pid = started.pid;
      const forget = note(kill);
      // What the server has started ends with it, and holds its pipes no longer.
      started.once("exit", kill);
      started.once("close", () => {
        forget();
        transport.onclose?.();
      });
      for (const part of [started, started.stdin]) part.on("error", () => undefined);
      started.stdout.on("data", take);
    },
    async send(message) {
      if (child?.stdin.writable !== true) throw new Error("The server has ended.");
      unasked = 0;
      if (!child.stdin.write(serialize(message))) await once(child.stdin, "drain");
    },
    async close() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "close").then(() => true);
      child.stdin.end();
      for (const name of ["SIGTERM", "SIGKILL"] as const) {
        if (await Promise.race([ended, wait(grace, false, { ref: false })])) return;
        signal(name);
      }
      await ended;
    },
  };
  return transport;
}
