// Servers of MCP that are commands: each in a process group of its own, that ends as a whole.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { JSONRPCMessage, ReadBuffer, Transport } from "@modelcontextprotocol/client";
import { AppError } from "../../base/errors/app-error.ts";
import { nameCause } from "../../base/errors/describe-cause.ts";
import { guardedFetch } from "../../base/wire/address-guard.node.ts";
import type { Proxies } from "../../base/wire/proxies.node.ts";
import type { McpOptions, OpenCommand } from "./mcp-servers.ts";
import { refuse } from "./spec-document.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Between asking a server to end and the next signal, in milliseconds. */
const grace = 1_000;
/** Messages that nobody has asked for. */
const maxUnasked = 10_000;

/**
 * What `createMcpServers` and `openMcpServers` take on Node.
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
  return [config, { environment, openFetch, openCommand }];
}

function readFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (thrown) {
    const isBroken = thrown instanceof SyntaxError;
    return refuse(
      path,
      isBroken ? "is not JSON" : `cannot be read: ${nameCause(thrown)}`,
      isBroken ? "不是 JSON" : `无法读取：${nameCause(thrown)}`,
    );
  }
}

const openCommand: OpenCommand = async (command, maxMessage, onError) => {
  const [sdk, stdio] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  // Of our own environment only what every program needs: no key of ours.
  const env = { ...stdio.getDefaultEnvironment(), ...command.env };
  const { args, ...rest } = command;
  // There are no such groups, and commands are found otherwise.
  if (process.platform === "win32")
    return new stdio.StdioClientTransport({ ...rest, args: [...args], env, stderr: "ignore" });
  const start = (): Child => {
    const { cwd } = command;
    const child = spawn(command.command, args, {
      env,
      ...(cwd === undefined ? {} : { cwd }),
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stderr.setEncoding("utf8").on("data", onError);
    return child;
  };
  const buffer = new sdk.ReadBuffer({ maxBufferSize: maxMessage });
  return new CommandTransport(start, buffer, sdk.serializeMessage);
};

class CommandTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** By these two the package knows that a server which is silent may be an old one. */
  readonly stderr = null;
  pid: number | undefined = undefined;
  readonly #start: () => Child;
  readonly #buffer: ReadBuffer;
  readonly #serialize: (message: JSONRPCMessage) => string;
  #child: Child | undefined;
  #unasked = 0;

  constructor(
    start: () => Child,
    buffer: ReadBuffer,
    serialize: (message: JSONRPCMessage) => string,
  ) {
    this.#start = start;
    this.#buffer = buffer;
    this.#serialize = serialize;
  }

  async start(): Promise<void> {
    const child = this.#start();
    await once(child, "spawn");
    this.#child = child;
    this.pid = child.pid;
    const kill = (): void => this.#signal("SIGKILL");
    process.once("exit", kill);
    // What the server has started ends with it, and holds its pipes no longer.
    child.once("exit", kill);
    child.once("close", () => {
      process.off("exit", kill);
      this.onclose?.();
    });
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.on("error", (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) throw new Error("The server has ended.");
    this.#unasked = 0;
    if (!stdin.write(this.#serialize(message))) await once(stdin, "drain");
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close").then(() => true);
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await Promise.race([ended, wait(grace, false, { ref: false })])) return;
      this.#signal(signal);
    }
    await ended;
  }

  #take(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
      for (;;) {
        const message = this.#next();
        if (message === null) return;
        if (message === undefined) continue;
        this.#unasked += 1;
        if (this.#unasked > maxUnasked) throw new Error("It sends without being asked.");
        this.onmessage?.(message);
      }
    } catch (thrown) {
      this.#signal("SIGKILL");
      this.onerror?.(new AppError("upstream_too_large", tooMuch, { cause: thrown }));
    }
  }

  /** @returns undefined for what is no message */
  #next(): JSONRPCMessage | null | undefined {
    try {
      return this.#buffer.readMessage();
    } catch {
      return undefined;
    }
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      if (this.pid !== undefined) process.kill(-this.pid, signal);
    } catch {
      // It has ended.
    }
  }
}

const tooMuch = {
  en: "The MCP server sends more than anybody may send.",
  zh: "MCP 服务器发送的数据超过上限。",
};
