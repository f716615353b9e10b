// A conversation as an editor shows it: what happens becomes updates of its session, and the person is asked by requests
// for permission (Agent Client Protocol, version 1).
import { join, relative, resolve } from "node:path";
import type {
  AgentContext,
  FileSystemCapabilities,
  PermissionOption,
  RequestPermissionRequest,
  SessionUpdate,
  StopReason,
  ToolCallContent,
  ToolKind,
} from "@agentclientprotocol/sdk";
import { untilAborted } from "../../base/wire/patient-timer.ts";
import type { ToolCall, ToolResult } from "../../turn/chat-message.ts";
import type { EndReason, HistoryEntry, TurnEvent } from "../../turn/turn-event.ts";
import type { EditorFiles } from "../../workspace/directory/editor-files.node.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import { escapeControls } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import type { Front } from "../chat/chat.ts";
import { type Person, nameChange } from "../code/ask.ts";
import { Progress, describeStep } from "../code/progress.ts";
import { parseJson } from "../read/read-text-file.ts";
import type { CliTexts } from "../texts.ts";
import { isRecord } from "../../base/text/json.ts";

export interface EditorFrontParts {
  sessionId: string;
  /** The folder of the session, as the editor names it. */
  cwd: string;
  /** Its real path. */
  root: string;
  texts: CliTexts;
  /** What the editor does with files. */
  files: FileSystemCapabilities;
}

/** What is read of one message. */
interface Heard {
  client: Pick<AgentContext, "request" | "notify">;
  stopped: AbortController;
  /** Texts of files that came with it, by their real paths. */
  shown: ReadonlyMap<string, string>;
}

interface OpenCall {
  /** As the model names it. */
  id: string;
  toolCallId: string;
  /** Changes of the turn before it. */
  changes: number;
}

/** Of what a tool has answered, in characters. */
const maxContent = 4_000;

const kinds: readonly (readonly [RegExp, ToolKind])[] = [
  [/delete/, "delete"],
  [/search|find|grep/, "search"],
  [/read|list/, "read"],
  [/edit|insert|remove|replace|write/, "edit"],
  [/run|command/, "execute"],
];
const ends: Partial<Record<EndReason, StopReason>> = {
  length: "max_tokens",
  content_filter: "refusal",
};

export class EditorFront implements Front {
  readonly #parts: EditorFrontParts;
  readonly terminal: Terminal;
  #heard: Heard | undefined;
  readonly #queue: SessionUpdate[] = [];
  #sending: Promise<void> | undefined;
  #calls = 0;
  #open: OpenCall[] = [];
  /** The person has said yes to all further changes of the session. */
  #isAll = false;
  /** What went wrong with the last message; "" where nothing did. */
  failure = "";
  /** Why the work on the last message ended. */
  stopReason: StopReason = "end_turn";

  constructor(parts: EditorFrontParts) {
    this.#parts = parts;
    this.terminal = this.#createTerminal();
  }

  /** A message is taken; from now on questions are about the work on it. */
  begin(heard: Heard): void {
    this.#heard = heard;
    [this.failure, this.stopReason] = ["", "end_turn"];
  }

  /** The work on the message is over, and all of it was sent. */
  async end(): Promise<void> {
    for (const { toolCallId } of this.#open.splice(0))
      this.update({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
    await this.#sending;
  }

  /** Sends an update after those before it. Where the editor is slow, pieces of one text become one. */
  update(update: SessionUpdate): void {
    const last = this.#queue.at(-1);
    const isText = "content" in update && "content" in (last ?? {});
    if (isText && last?.sessionUpdate === update.sessionUpdate && joinText(last, update)) return;
    this.#queue.push(update);
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
  }

  async #send(): Promise<void> {
    const { sessionId } = this.#parts;
    for (;;) {
      const update = this.#queue.shift();
      if (update === undefined) return;
      // Of an editor that is gone, the end of the connection tells.
      await this.#heard?.client
        .notify("session/update", { sessionId, update })
        .catch(() => this.#queue.splice(0));
    }
  }

  say(voice: "agent_message_chunk" | "agent_thought_chunk", text: string): void {
    if (text !== "") this.update({ sessionUpdate: voice, content: { type: "text", text } });
  }

  createProgress(isWork: boolean): Progress {
    return new EditorProgress(this, this.#parts.texts, isWork);
  }

  note(end: EndReason, isWork: boolean): void {
    const reason = ends[end] ?? "end_turn";
    this.stopReason = reason === "max_tokens" && isWork ? "max_turn_requests" : reason;
  }

  // Tools.

  openCall({ id, name, arguments: given }: ToolCall, changes: number): void {
    const { texts } = this.#parts;
    const rawInput = parseJson(given);
    const target = isRecord(rawInput) ? rawInput["target_file"] : undefined;
    const path = typeof target === "string" ? target : "";
    this.#calls += 1;
    const toolCallId = `call-${this.#calls}`;
    this.#open.push({ id, toolCallId, changes });
    this.update({
      sessionUpdate: "tool_call",
      toolCallId,
      title: texts.running(name, path),
      kind: kinds.find(([pattern]) => pattern.test(name))?.[1] ?? "other",
      status: "in_progress",
      rawInput,
      locations: this.#locate([path]),
    });
  }

  closeCall(
    { id, content, isError }: ToolResult,
    step: string | undefined,
    all: readonly FileChange[],
  ): void {
    const call = this.#open.find((one) => one.id === id);
    if (call === undefined) return;
    this.#open = this.#open.filter((one) => one !== call);
    const made = all.slice(call.changes);
    this.update({
      sessionUpdate: "tool_call_update",
      toolCallId: call.toolCallId,
      status: isError ? "failed" : "completed",
      ...(step === undefined ? {} : { title: step }),
      ...(made.length > 0 && { locations: this.#locate(made.map(({ path }) => path)) }),
      content: made.length > 0 ? this.#diff(made) : textContent(content.slice(0, maxContent)),
    });
  }

  /** @param paths from the root; those that lead out of it, and "", are nowhere */
  #locate(paths: readonly string[]): { path: string }[] {
    const { cwd } = this.#parts;
    return paths
      .map((path) => resolve(cwd, path))
      .filter((path) => path !== resolve(cwd) && isUnder(resolve(cwd), path))
      .map((path) => ({ path }));
  }

  #diff(changes: readonly FileChange[]): ToolCallContent[] {
    return changes.map(({ path, before, after }) => ({
      type: "diff",
      path: join(this.#parts.cwd, path),
      oldText: before?.text ?? null,
      newText: after ?? "",
    }));
  }

  // Questions.

  readonly person: Person = {
    judgeChange: async ({ changes, why }, guard) => {
      const { texts } = this.#parts;
      const told = [why, guard === undefined ? "" : texts.always(guard)].filter(
        (text) => text !== "",
      );
      const content = [...this.#diff(changes), ...told.flatMap(textContent)];
      if (this.#isAll && guard === undefined) return { kind: "all" };
      const locations = this.#locate(changes.map(({ path }) => path));
      const chosen = await this.#choose(
        { title: nameChange(changes, texts), kind: "edit", content, locations },
        guard === undefined,
      );
      this.#isAll ||= chosen === "all";
      return { kind: chosen };
    },
    judgeRead: async ({ path, why }) => {
      const { texts } = this.#parts;
      const asked = { title: texts.read(path), kind: "read" as const, content: textContent(why) };
      const chosen = await this.#choose({ ...asked, locations: this.#locate([path]) }, false);
      return { kind: chosen === "no" ? "no" : "yes" };
    },
    judgeCheck: async (command, changed) => {
      const { texts } = this.#parts;
      const warning = changed.length === 0 ? "" : texts.checkChangedSince(changed.join(", "));
      const content = [command.join(" "), warning].flatMap(textContent);
      const asked = { title: texts.runCheck, kind: "execute" as const, content };
      return (await this.#choose(asked, false)) !== "no";
    },
  };

  /** @throws the signal's reason, also where the editor says that the turn was cancelled */
  async #choose(
    asked: Omit<RequestPermissionRequest["toolCall"], "toolCallId">,
    mayBeAll: boolean,
  ): Promise<"yes" | "all" | "no"> {
    const { sessionId, texts } = this.#parts;
    const { client, signal, stop } = this.#listening;
    const options: PermissionOption[] = [
      { optionId: "yes", name: texts.yes, kind: "allow_once" },
      ...(mayBeAll
        ? [{ optionId: "all", name: texts.acp.always, kind: "allow_always" as const }]
        : []),
      { optionId: "no", name: texts.no, kind: "reject_once" },
    ];
    // Writes run alone: the call that asks is the last one.
    const open = this.#open.at(-1)?.toolCallId ?? `question-${(this.#calls += 1)}`;
    await this.#sending;
    const toolCall = { ...asked, toolCallId: open };
    const request: RequestPermissionRequest = { sessionId, options, toolCall };
    const cancelling = { cancellationSignal: signal };
    const asking = client.request("session/request_permission", request, cancelling);
    const answer = await untilAborted(asking, signal).catch(() => {
      signal.throwIfAborted();
      return undefined;
    });
    if (answer?.outcome.outcome === "cancelled") {
      stop();
      signal.throwIfAborted();
    }
    const chosen = answer?.outcome.outcome === "selected" ? answer.outcome.optionId : "no";
    if (chosen === "all" && mayBeAll) return chosen;
    return chosen === "yes" ? chosen : "no";
  }

  get #listening() {
    if (this.#heard === undefined) throw new Error("Nobody has said anything yet.");
    const { client, stopped } = this.#heard;
    return { client, signal: stopped.signal, stop: () => stopped.abort() };
  }

  // Files.

  get editor(): EditorFiles {
    const { files, sessionId, cwd, root } = this.#parts;
    const pathOf = (real: string): string =>
      isUnder(root, real) ? join(cwd, relative(root, real)) : real;
    const read = async (real: string): Promise<string | undefined> => {
      const { client, signal } = this.#listening;
      if (files.readTextFile !== true) return this.#heard?.shown.get(real);
      const asking = client.request("fs/read_text_file", { sessionId, path: pathOf(real) });
      const answer = await untilAborted(asking, signal).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
      return answer?.content;
    };
    const write = async (real: string, content: string): Promise<string | undefined> => {
      const { client, signal } = this.#listening;
      const request = { sessionId, path: pathOf(real), content };
      return untilAborted(client.request("fs/write_text_file", request), signal).then(
        () => undefined,
        (thrown: unknown) => {
          signal.throwIfAborted();
          return thrown instanceof Error ? thrown.message : String(thrown);
        },
      );
    };
    return files.writeTextFile === true ? { read, write } : { read };
  }

  /** What is dimmed at a terminal is thought aloud here, and what is red is the failure. */
  #createTerminal(): Terminal {
    let style: unknown;
    return {
      out: (text) => this.say("agent_message_chunk", String(text)),
      err: (text) => {
        if (style === "red") this.failure ||= text.trim();
        else this.say(style === "dim" ? "agent_thought_chunk" : "agent_message_chunk", text);
        style = undefined;
      },
      outStyle: (_, text) => text,
      errStyle: (format, text) => {
        style = format;
        return text;
      },
      outWidth: () => 80,
      wait: () => undefined,
      rest: () => undefined,
    };
  }
}

function textContent(text: string): ToolCallContent[] {
  return text === "" ? [] : [{ type: "content", content: { type: "text", text } }];
}

/** @returns whether both are texts */
function joinText(last: SessionUpdate, next: SessionUpdate): boolean {
  if (!("content" in last) || !("content" in next)) return false;
  const [one, other] = [last.content, next.content];
  if (one === null || other === null || one === undefined || other === undefined) return false;
  if (!("text" in one) || !("text" in other)) return false;
  one.text += other.text;
  return true;
}

/** Shows a run in the editor. */
class EditorProgress extends Progress {
  readonly #front: EditorFront;
  readonly #texts: CliTexts;
  readonly #isWork: boolean;
  /** The step of the plan that is under way; undefined before the first. */
  #step: number | undefined;

  constructor(front: EditorFront, texts: CliTexts, isWork: boolean) {
    const { terminal } = front;
    const columns = (): number => Infinity;
    super({ terminal, texts, createPainter: undefined, columns, showsEdits: !isWork });
    this.#front = front;
    this.#texts = texts;
    this.#isWork = isWork;
  }

  override awaitModel(): void {}

  override awaitCheck(): void {}

  override pause(): void {}

  override rest(): void {}

  override take(event: TurnEvent): void {
    const words = event.type === "text-delta" ? this.wordsOf(event) : "";
    const { record } = this;
    record.take(event, words);
    switch (event.type) {
      case "text-delta":
        this.#front.say("agent_message_chunk", words);
        break;
      case "reasoning-delta":
        this.#front.say("agent_thought_chunk", event.text);
        break;
      case "context-receipt":
        for (const { path, why } of event.receipt.leftOut ?? [])
          this.#front.say("agent_message_chunk", `${this.#texts.notAlong(path, why)}\n\n`);
        break;
      case "tool-call":
        this.#plan(event.call.name === "finish" ? 2 : record.changes.length > 0 ? 1 : 0);
        if (event.call.name !== "finish") this.#front.openCall(event.call, record.changes.length);
        break;
      case "tool-result":
        this.#front.closeCall(event.result, this.#describe(event.entry), record.changes);
        break;
      case "turn-end":
        if (this.#step !== undefined && event.reason === "stop") this.#plan(3);
        this.#front.note(event.reason, this.#isWork);
        break;
      default:
    }
  }

  #describe(entry: HistoryEntry | undefined): string | undefined {
    const step = entry && describeStep(entry, this.#texts.locale);
    return step && escapeControls(step).replaceAll("`", "");
  }

  #plan(step: number): void {
    if (!this.#isWork || step === this.#step) return;
    this.#step = step;
    const entries = this.#texts.acp.plan.map((content, nth) => {
      const status = nth < step ? "completed" : nth === step ? "in_progress" : "pending";
      return { content, priority: "medium" as const, status } as const;
    });
    this.#front.update({ sessionUpdate: "plan", entries });
  }
}
