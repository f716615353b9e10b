// A conversation as an editor shows it: what happens becomes updates of its session, and the person is asked by requests
// for permission (Agent Client Protocol, version 1).
import { join, relative, resolve } from "node:path";
import type {
  AgentContext,
  FileSystemCapabilities,
  PermissionOption,
  ReadTextFileRequest,
  RequestPermissionRequest,
  SessionUpdate,
  StopReason,
  ToolCallContent,
  ToolKind,
} from "@agentclientprotocol/sdk";
import { untilAborted } from "../../base/wire/patient-timer.ts";
import type { ToolCall, ToolResult } from "../../turn/chat-message.ts";
import type { EndReason } from "../../turn/turn-event.ts";
import type { EditorFiles } from "../../workspace/directory/editor-files.node.ts";
import { isUnder } from "../../workspace/directory/resolve-path.node.ts";
import type { FileChange } from "../../workspace/workspace.ts";
import type { Terminal } from "../call/terminal.ts";
import type { Front } from "../chat/chat.ts";
import { type Person, describeQuestion } from "../code/ask.ts";
import { Progress, type ProgressParts, describeStep, fileOfCall } from "../code/progress.ts";
import type { CliTexts } from "../texts.ts";
import { parseJson } from "../../base/text/json.ts";

export interface EditorFrontParts {
  sessionId: string;
  cwd: string;
  root: string;
  texts: CliTexts;
  files: FileSystemCapabilities;
}

interface Heard {
  client: Pick<AgentContext, "request" | "notify">;
  stopped: AbortController;
  /** Texts of files that came with it, by their real paths. */
  shown: ReadonlyMap<string, string>;
}

interface TextUpdate {
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";
  content: { type: "text"; text: string };
}

type Question = Omit<RequestPermissionRequest["toolCall"], "toolCallId">;

interface OpenCall {
  id: string;
  toolCallId: string;
  /** Changes of the turn before it. */
  changes: number;
}

const maxContent = 4_000;

const kinds: readonly (readonly [RegExp, ToolKind])[] = [
  [/delete/, "delete"],
  [/search|find|grep/, "search"],
  [/read|list/, "read"],
  [/edit|insert|remove|replace|write/, "edit"],
  [/run|command/, "execute"],
];
const optionKinds = { yes: "allow_once", all: "allow_always", no: "reject_once" } as const;
const ends: Partial<Record<EndReason, StopReason>> = {
  length: "max_tokens",
  content_filter: "refusal",
};

export class EditorFront implements Front {
  readonly #parts: EditorFrontParts;
  readonly terminal: Terminal;
  #heard: Heard;
  readonly #queue: SessionUpdate[] = [];
  #said: TextUpdate | undefined;
  #sending: Promise<void> | undefined;
  #calls = 0;
  #open: OpenCall[] = [];
  /** The person has said yes to all further changes of the session. */
  #isAll = false;
  failure = "";
  stopReason: StopReason = "end_turn";

  constructor(parts: EditorFrontParts, heard: Heard) {
    this.#parts = parts;
    this.#heard = heard;
    this.terminal = this.#createTerminal();
  }

  /** A message is taken; from now on questions are about the work on it. */
  begin(heard: Heard): void {
    this.#heard = heard;
    [this.failure, this.stopReason] = ["", "end_turn"];
  }

  async end(): Promise<void> {
    for (const { toolCallId } of this.#open.splice(0))
      this.update({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
    await this.#sending;
  }

  /** Sends an update after those before it. */
  update(update: SessionUpdate): void {
    this.#queue.push(update);
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
  }

  /** Where the editor is slow, pieces of one text become one. */
  say(voice: TextUpdate["sessionUpdate"], text: string): void {
    const last = this.#said;
    if (last?.sessionUpdate === voice && last === this.#queue.at(-1)) last.content.text += text;
    else if (text !== "") {
      this.#said = { sessionUpdate: voice, content: { type: "text", text } };
      this.update(this.#said);
    }
  }

  async #send(): Promise<void> {
    const { sessionId } = this.#parts;
    for (let update = this.#queue.shift(); update; update = this.#queue.shift())
      await this.#heard.client
        .notify("session/update", { sessionId, update })
        // Of an editor that is gone, the end of the connection tells.
        .catch(() => this.#queue.splice(0));
  }

  createProgress(isWork: boolean): Progress {
    const { texts } = this.#parts;
    /** The step of the plan that is under way; undefined before the first. */
    let step: number | undefined;
    const plan = (next: number): void => {
      if (!isWork || next === step) return;
      step = next;
      const entries = texts.acp.plan.map((content, nth) => {
        const status = nth < next ? "completed" : nth === next ? "in_progress" : "pending";
        return { content, priority: "medium", status } as const;
      });
      this.update({ sessionUpdate: "plan", entries });
    };
    const show: ProgressParts["show"] = (event, words, { changes }) => {
      if (event.type === "text-delta") this.say("agent_message_chunk", words);
      else if (event.type === "reasoning-delta") this.say("agent_thought_chunk", event.text);
      else if (event.type === "context-receipt")
        for (const { path, why } of event.receipt.leftOut ?? [])
          this.say("agent_message_chunk", `${texts.notAlong(path, why)}\n\n`);
      else if (event.type === "tool-call") {
        const isEnd = event.call.name === "finish";
        plan(isEnd ? 2 : changes.length > 0 ? 1 : 0);
        if (!isEnd) this.#openCall(event.call, changes.length);
      } else if (event.type === "tool-result") {
        const line = event.entry && describeStep(event.entry, texts.locale);
        this.#closeCall(event.result, line?.replaceAll("`", ""), changes);
      } else if (event.type === "turn-end") {
        if (step !== undefined && event.reason === "stop") plan(3);
        const reason = ends[event.reason] ?? "end_turn";
        this.stopReason = reason === "max_tokens" && isWork ? "max_turn_requests" : reason;
      }
    };
    return new Progress({ terminal: this.terminal, texts, showsEdits: !isWork, show });
  }

  // Tools.

  #openCall({ id, name, arguments: given }: ToolCall, changes: number): void {
    const rawInput = parseJson(given);
    const path = fileOfCall(rawInput);
    this.#calls += 1;
    const toolCallId = `call-${this.#calls}`;
    this.#open.push({ id, toolCallId, changes });
    this.update({
      sessionUpdate: "tool_call",
      toolCallId,
      title: `${name} ${path}`.trimEnd(),
      kind: kinds.find(([pattern]) => pattern.test(name))?.[1] ?? "other",
      status: "in_progress",
      rawInput,
      locations: this.#locate([path]),
    });
  }

  #closeCall(
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
    judge: async (question) => {
      const { texts } = this.#parts;
      const isChange = question.kind === "change";
      const isFree = isChange && question.guard === undefined;
      if (this.#isAll && isFree) return { kind: "yes" };
      const { title, lines, why, warning, options } = describeQuestion(question, texts);
      const told = [...lines, why, warning].flatMap(textContent);
      const kind = isChange ? "edit" : question.kind === "read" ? "read" : "execute";
      const changes = isChange ? question.changes : [];
      const chosen = await this.#choose(
        {
          title,
          kind,
          content: [...this.#diff(changes), ...told],
          ...(isChange && { locations: this.#locate(changes.map(({ path }) => path)) }),
        },
        options.map(([optionId, label]) => {
          const name = optionId === "all" && isChange ? texts.acp.always : label;
          return { optionId, name, kind: optionKinds[optionId] };
        }),
      );
      const [answer = "no"] = options.find(([each]) => each === chosen) ?? [];
      this.#isAll ||= isChange && answer === "all";
      return { kind: answer };
    },
    answer: async ({ question, choices }) => {
      const options = choices.map((name, nth) => {
        return { optionId: `${nth}`, name, kind: "allow_once" } as const;
      });
      const chosen = await this.#choose({ title: question }, options);
      return choices[Number(chosen ?? "-1")] ?? "";
    },
  };

  /** @returns the id of an option, if one is chosen. @throws the signal's reason, also where the editor cancels the turn */
  async #choose(asked: Question, options: PermissionOption[]): Promise<string | undefined> {
    const { sessionId } = this.#parts;
    const { client, stopped } = this.#heard;
    // Writes run alone: the call that asks is the last one.
    const toolCallId = this.#open.at(-1)?.toolCallId ?? `question-${(this.#calls += 1)}`;
    await this.#await(Promise.resolve(this.#sending));
    const toolCall = { ...asked, toolCallId };
    const request: RequestPermissionRequest = { sessionId, options, toolCall };
    const cancelling = { cancellationSignal: stopped.signal };
    const asking = client.request("session/request_permission", request, cancelling);
    const { outcome } = (await this.#await(asking)).value ?? {};
    if (outcome?.outcome === "cancelled") stopped.abort();
    stopped.signal.throwIfAborted();
    const chosen = outcome?.outcome === "selected" ? outcome.optionId : undefined;
    return options.find(({ optionId }) => optionId === chosen)?.optionId;
  }

  /** What the editor answers, or why it does not. @throws the signal's reason */
  async #await<Value>(work: Promise<Value>): Promise<{ value?: Value; refusal?: string }> {
    const { signal } = this.#heard.stopped;
    try {
      return { value: await untilAborted(work, signal) };
    } catch (thrown) {
      signal.throwIfAborted();
      return { refusal: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  // Files.

  get editor(): EditorFiles {
    const { files, sessionId, cwd, root } = this.#parts;
    const { client, shown } = this.#heard;
    const placeOf = (real: string): ReadTextFileRequest => ({
      sessionId,
      path: isUnder(root, real) ? join(cwd, relative(root, real)) : real,
    });
    const read = async (real: string): Promise<string | undefined> => {
      if (files.readTextFile !== true) return shown.get(real);
      const asking = client.request("fs/read_text_file", placeOf(real));
      const { value } = await this.#await(asking);
      return value?.content;
    };
    const write = async (real: string, content: string): Promise<string | undefined> => {
      const request = { ...placeOf(real), content };
      return (await this.#await(client.request("fs/write_text_file", request))).refusal;
    };
    return files.writeTextFile === true ? { read, write } : { read };
  }

  /** What is dimmed at a terminal is thought aloud here, and what is red is the failure. */
  #createTerminal(): Terminal {
    let style: unknown;
    return {
      out: (text) => this.say("agent_message_chunk", keepLines(String(text))),
      err: (text) => {
        const voice = style === "dim" ? "agent_thought_chunk" : "agent_message_chunk";
        if (style === "red") this.failure ||= text.trim();
        else this.say(voice, keepLines(text));
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

/** Lines of a terminal stay lines in Markdown. */
function keepLines(text: string): string {
  return text.replaceAll(/(?<=\S)\n(?=[^\n])/g, "  \n");
}

function textContent(text: string): ToolCallContent[] {
  return text === "" ? [] : [{ type: "content", content: { type: "text", text } }];
}
