// An editor that speaks the Agent Client Protocol: the client side of the official package, and what it was told.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { tmpdir } from "node:os";
import * as acp from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { cliPath } from "./e2e-code.ts";

export interface EditorOptions {
  /** What is open and not saved, by absolute paths; with it the editor reads and writes the files. */
  buffers?: Map<string, string>;
  /** What the person chooses, question by question, or `cancelled`, or `silence`; the last counts for all that follow. */
  choices?: readonly string[];
  onQuestion?: (asked: acp.RequestPermissionRequest) => void;
}

export interface Editor {
  agent: acp.ClientContext;
  updates: acp.SessionUpdate[];
  asked: acp.RequestPermissionRequest[];
  /** What was read and written through the editor. */
  files: string[];
  /** Of the kind, in their order. */
  of<Kind extends acp.SessionUpdate["sessionUpdate"]>(
    kind: Kind,
  ): Extract<acp.SessionUpdate, { sessionUpdate: Kind }>[];
  /** What the agent has said since the last message. */
  said(): string;
  prompt(sessionId: string, ...blocks: (string | acp.ContentBlock)[]): Promise<acp.StopReason>;
}

/** Opens the editor's side over a stream. */
export async function openEditor(
  stream: acp.Stream,
  { buffers, choices = ["no"], onQuestion }: EditorOptions = {},
): Promise<Editor> {
  const updates: acp.SessionUpdate[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const files: string[] = [];
  let start = 0;
  const { methods } = acp;
  const connection = acp
    .client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      onQuestion?.(params);
      const optionId = choices[Math.min(asked.length, choices.length) - 1] ?? "no";
      if (optionId === "silence") await new Promise(() => undefined);
      if (optionId === "cancelled") return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      files.push(`read ${params.path}`);
      const content = buffers?.get(params.path);
      if (content === undefined) throw acp.RequestError.resourceNotFound(params.path);
      return { content };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      files.push(`write ${params.path}`);
      buffers?.set(params.path, params.content);
      return {};
    })
    .connect(stream);
  onTestFinished(() => connection.close());
  const fs = { readTextFile: buffers !== undefined, writeTextFile: buffers !== undefined };
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { fs },
  });
  const of: Editor["of"] = (kind) =>
    updates.filter((one): one is never => one.sessionUpdate === kind);
  return {
    agent,
    updates,
    asked,
    files,
    of,
    said: () =>
      updates
        .slice(start)
        .map((one) =>
          one.sessionUpdate === "agent_message_chunk" && one.content.type === "text"
            ? one.content.text
            : "",
        )
        .join(""),
    async prompt(sessionId, ...blocks) {
      start = updates.length;
      const prompt = blocks.map((block) =>
        typeof block === "string" ? { type: "text" as const, text: block } : block,
      );
      const { stopReason } = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt,
      });
      return stopReason;
    },
  };
}

/** `rightseat acp` as a process of its own, which ends with the test. */
export function startAcp(environment: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [cliPath, "acp", ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    child,
    exited,
    get stderr() {
      return stderr;
    },
    stream: () =>
      acp.ndJsonStream(
        Writable.toWeb(child.stdin),
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
  };
}
