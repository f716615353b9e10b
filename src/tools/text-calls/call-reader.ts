// An answer of a model in, its text as deltas; out come the text for the person, and the calls that it makes or writes.
import { endOfLine, linesWithEnds, withoutLineEnd } from "../../base/text/lines.ts";
import type { Message } from "../../base/errors/app-error.ts";
import type { ToolCall } from "../../turn/chat-message.ts";
import { advance } from "../../base/text/progress.ts";
import type { Toolbox } from "../tool.ts";
import { type NamedCall, type Reading, closingEnd, readCallText } from "./call-text.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import type { CodeBlock, EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import { printLoosely } from "../../edit/read/print-units.ts";
import { quoteName } from "../../base/errors/names.ts";
import { pathOfInfo, pathOfLine } from "../../edit/read/dress/path-in-text.ts";
import { closesFence, readFence } from "../../base/text/fence.ts";

/** Faults that the model hears of. */
const maxFaults = 5;
/** Calls of one answer. */
const maxCalls = 64;
/** Characters that are held at most. */
const maxHeld = 1_048_576;
/** So often each character may be looked through for calls. */
const maxLooks = 24;

/**
 * Reads an answer piece by piece. How it is cut into pieces changes nothing but the cuts of the text. Text comes as soon
 * as it is sure to be text; calls are there after `end`.
 *
 * Edits in any form that `edit/read` knows are calls of `edit_file`, where there is such a tool. What is cut off is not a
 * call. Without any tool all is text. Written calls count where the model has made no others: some models write them down
 * though they were offered the tools.
 */
export class CallReader {
  /** What looks like a call or an edit and cannot be read, in words for the model; complete after `end`. */
  readonly faults: Message[] = [];
  /** All of the answer, the calls included. */
  raw = "";
  readonly #toolbox: Toolbox;
  readonly #round: number | string;
  readonly #made: ToolCall[] = [];
  readonly #written: ToolCall[] = [];
  readonly #readsEdits: boolean;
  /** Reads what comes between two calls. */
  #edits = new EditReader(editOptions);
  #told = "";
  /** Characters that may yet be looked through for calls. */
  #left = 20_000;
  /** The line that has begun. */
  #line = "";
  /** So much of that line, or of the next one that is read, went out as text. */
  #passed = 0;
  #end: { isStopped: boolean } | undefined;
  /** Whole lines that are still to be read, and where. */
  #text = "";
  #at = 0;
  /** How far they were looked through for the call that may begin there; 0 if none does. */
  #looked = 0;
  #quoted: Quoted | undefined;
  /** Nothing came since the last call. */
  #isBehindCall = false;
  /** The last line that has text. */
  #above = "";

  /** @param round ends the ids of written calls, so that they are unique in the turn or beyond it */
  constructor(toolbox: Toolbox, round: number | string = 0) {
    this.#toolbox = toolbox;
    this.#round = round;
    // A tool of that name by somebody else's schema is another one.
    this.#readsEdits = toolbox.tools.some(
      ({ name, schema }) => name === "edit_file" && schema === undefined,
    );
  }

  /** In their order; complete after `end`. */
  get calls(): readonly ToolCall[] {
    return this.areWritten ? this.#written.slice(0, maxCalls) : this.#made;
  }

  /** The calls are part of the text. */
  get areWritten(): boolean {
    return this.#made.length === 0;
  }

  /** Takes a call that the model has made natively. From then on calls in the text do not count. */
  add(call: ToolCall): void {
    this.#made.push(call);
  }

  /** @returns text that is part of no call, as it is known by now */
  push(delta: string): string {
    this.raw += delta;
    if (this.#toolbox.tools.length === 0) return delta;
    for (const raw of linesWithEnds(delta)) {
      this.#line += raw;
      if (raw.endsWith("\n")) this.#takeLine();
      else this.#passStart();
    }
    return this.#flush();
  }

  /**
   * The answer ends here.
   *
   * @param isStopped the model ended by itself: a call that only lacks its end mark counts
   */
  end({ isStopped }: { isStopped: boolean }): string {
    this.#end = { isStopped };
    this.#takeLine();
    this.#endSegment(isStopped);
    if (this.#written.length > maxCalls) this.#fault(tooMany);
    // What an answer says that broke off is not what the model wants.
    if (!isStopped) this.#written.length = 0;
    if (!isStopped || !this.areWritten) this.faults.length = 0;
    return this.#flush();
  }

  #flush(): string {
    const told = this.#told;
    this.#told = "";
    return told;
  }

  #takeLine(): void {
    this.#left += maxLooks * this.#line.length;
    this.#text += this.#line;
    this.#line = "";
    const step = (): boolean => this.#at < this.#text.length && this.#readLine();
    advance(() => this.#at, step);
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }

  /** The beginning of a line that can be nothing but text goes out now; a sign inside of it waits. */
  #passStart(): void {
    if (this.#passed === 0) {
      const isInside = this.#looked > 0 || this.#quoted !== undefined || this.#edits.isInside;
      if (isInside || mayBegin(this.#line)) return;
    }
    const at = this.#findInline(this.#line, this.#passed, true) ?? this.#line.length;
    this.#tell(this.#line.slice(this.#passed, at));
    this.#passed = at;
  }

  /** @returns false where more lines are needed */
  #readLine(): boolean {
    if (this.#looked > 0) return this.#look();
    const raw = this.#text.slice(this.#at, endOfLine(this.#text, this.#at));
    const line = withoutLineEnd(raw);
    const isText = this.#passed > 0 || this.#quoted !== undefined || this.#edits.isInside;
    if (isText) return this.#passText();
    const closed = this.#isBehindCall ? closingEnd(line) : 0;
    if (closed > 0 && line.slice(closed).trim() === "")
      return this.#settle({ kind: "calls", end: raw.length });
    // The next call may begin there.
    if (closed > 0 && this.#findInline(line, closed, false) === closed)
      return this.#settle({ kind: "calls", end: closed });
    const begun = quoteOf(line, this.#above);
    if (begun !== undefined) return this.#settle({ end: raw.length, ...begun });
    const mayCall = !this.#isFull && line.trim() !== "" && !isAnnounced(line) && mayBegin(line);
    return mayCall && (!isAnnounced(this.#above) || findSign(line, 0, false) === 0)
      ? this.#look()
      : this.#passText();
  }

  /** Where a call may begin behind words on one line. */
  #findInline(line: string, from: number, isOpen: boolean): number | undefined {
    const isTool = (name: string): boolean => this.#toolbox.find(name)?.name === name;
    const found = [
      findSign(line, from, isOpen),
      findName(line, from, isOpen, isTool),
      isOpen ? nameBegun(line, from, this.#toolbox) : undefined,
    ].filter((at) => at !== undefined);
    return found.length === 0 ? undefined : Math.min(...found);
  }

  /** After so many faults, or so much work, nothing is looked for. */
  get #isFull(): boolean {
    return this.faults.length >= maxFaults || this.#left <= 0;
  }

  /** Looks at more lines, each time by a part of them, so that each is looked at only a few times. */
  #look(): boolean {
    let read: Reading | undefined;
    const step = (): boolean => {
      const from = this.#at + Math.ceil(this.#looked * 1.125);
      if (from >= this.#text.length && this.#end === undefined) return false;
      const to = endOfLine(this.#text, from);
      const text = this.#text.slice(this.#at, to);
      const isAll = this.#end !== undefined && to === this.#text.length;
      const isEnd = isAll || text.length >= maxHeld;
      const isStopped = this.#end?.isStopped ?? true;
      read = readCallText(text, { toolbox: this.#toolbox, isEnd, isStopped });
      this.#left -= text.length;
      if (this.#left <= 0) {
        this.#left = -Infinity;
        this.#fault(unreadable);
        read ??= { kind: "text", end: text.length };
      }
      this.#looked = text.length;
      return read === undefined;
    };
    advance(() => this.#looked, step);
    return read !== undefined && this.#settle(read);
  }

  /** Takes what was read. */
  #settle({ kind, end, calls = [], until }: Reading): true {
    const stop = this.#at + end;
    this.#looked = 0;
    this.#isBehindCall = kind === "calls";
    if (kind === "text") {
      const isLine = stop <= endOfLine(this.#text, this.#at);
      const step = (): boolean => this.#passText() && !isLine && this.#at < stop;
      advance(() => this.#at, step);
    } else {
      this.#endSegment(true);
      for (const call of calls) this.#call(call);
      if (kind !== "calls") this.#told += this.#text.slice(this.#at, stop);
      if (kind === "fault") this.#fault(unreadable);
      this.#at = stop;
    }
    if (until !== undefined) this.#quoted = { kind, until };
    return true;
  }

  /** Passes on a line as text, or as part of an edit, up to a sign of a call inside of it. */
  #passText(): true {
    const whole = this.#text.slice(this.#at, endOfLine(this.#text, this.#at));
    const sign = this.#isFull ? undefined : this.#findInline(whole, this.#passed || 1, false);
    const raw = whole.slice(0, sign);
    this.#tell(raw.slice(this.#passed));
    this.#passed = 0;
    this.#at += raw.length;
    const line = withoutLineEnd(raw);
    if (line.trim() === "") return true;
    this.#isBehindCall = false;
    const { kind = "text", until } = this.#quoted ?? {};
    if (until?.(line) === true) this.#quoted = undefined;
    else if (kind === "text") this.#above = line.slice(0, 400);
    return true;
  }

  #tell(text: string): void {
    const mayEdit = this.#readsEdits && (this.#quoted?.kind ?? "text") === "text";
    this.#told += mayEdit ? this.#edits.push(text).map(textOfEvent).join("") : text;
  }

  /** What comes now is read apart from the edits before; these are calls, in their order, or faults where they cannot be read. */
  #endSegment(isStopped: boolean): void {
    const found: [line: number, NamedCall | Message][] = [];
    for (const event of this.#edits.end({ isStopped })) {
      const call = event.type === "block" ? readWholeFile(event.block) : undefined;
      if (event.type !== "block") this.#told += textOfEvent(event);
      else if (call === undefined) this.#told += event.block.raw;
      else found.push([event.block.line, call]);
    }
    const { files, alternatives } = this.#edits;
    for (const edit of files) {
      const line = edit.units[0]?.line ?? edit.codeEdit?.line ?? Number.MAX_SAFE_INTEGER;
      const isCut = edit.error?.code === "truncated" && !isStopped;
      if (!isCut) found.push([line, readEdit(edit)]);
    }
    if (alternatives.length > 0) found.push([Number.MAX_SAFE_INTEGER, severalOptions]);
    for (const [, one] of found.toSorted(([left], [right]) => left - right)) {
      if ("name" in one) this.#call(one);
      else this.#fault(one);
    }
    this.#edits = new EditReader(editOptions);
  }

  #call({ name, args }: NamedCall): void {
    const id = `text_${this.#written.length + 1}_${this.#round}`;
    try {
      const json = typeof args === "string" ? args : JSON.stringify(args);
      this.#written.push({ id, name, arguments: json });
    } catch {
      // They are nested too deeply to be printed.
      this.#fault(unreadable);
    }
  }

  #fault(message: Message): void {
    if (this.faults.length < maxFaults) this.faults.push(message);
  }
}

// What is told of calls in an answer that were not run.

const unreadable: Message = {
  en: "A call in your answer could not be read, so it was not run. Write it as one complete JSON object with the fields tool, reason and params.",
  zh: "回答中有一处工具调用无法读取，因此没有执行。请写成一个完整的 JSON 对象，包含 tool、reason 和 params 字段。",
};

const tooMany: Message = {
  en: `Your answer has more than ${maxCalls} calls; only the first ${maxCalls} were run.`,
  zh: `回答中的工具调用超过 ${maxCalls} 个，只执行了前 ${maxCalls} 个。`,
};

// Where a call may begin: known of the beginning of a line, so that words go out as they come.

/** What announces an example, or the text of something, at the end of a line with a colon. */
const example =
  /\b(?:for example|e\.g\.|for instance|(?:an|this|the following) example|looks? like(?: this)?|like (?:so|this)|contains|(?:content|contents) of|observation)(?![\w./-])|例如|比如|举例|示例如下|格式如下|形如|的内容(?!.*[。！？])|观察结果/i;
/** A code block that says that it is what came of a call. */
const shownOutput = /^(?:tool_)?(?:outputs?|results?|responses?|observation)$/i;
/** Files that hold data or prose: their text may look like a call. */
const dataFile = /\.(?:jsonc?|ya?ml|md|mdx|markdown|txt|xml|html?|toml)$/i;

/** Results that are repeated, texts of files, examples, and what a model thinks aloud. */
const quoteTag =
  /^ {0,3}<((?:antml:)?(?:tool_results?|tool_response|tool_output|function_results?|function_response|observation|file_contents?|documents?|examples?|scratchpad|analysis|reflection|thinking))(?=[\s>])[^<>]{0,400}>/i;

function isAnnounced(above: string): boolean {
  return /[:：][*_`]{0,4}$/.test(above.trimEnd()) && example.test(above);
}

/** Lines in which no call can begin: a quotation, or text. They go on until it says so; undefined for this line alone. */
type Quoted = Pick<Reading, "kind" | "until">;

/** What begins with the line and is an example, an output, or the text of a file. */
function quoteOf(line: string, above: string): Quoted | undefined {
  const [, name] = quoteTag.exec(line) ?? [];
  if (name !== undefined || /^ {0,3}<!--/.test(line)) {
    const closing = name === undefined ? "-->" : `</${name}>`;
    const isOver = line.includes(closing);
    return { kind: "quote", until: isOver ? undefined : (each) => each.includes(closing) };
  }
  const fence = readFence(line);
  if (fence === undefined) return undefined;
  const until = (each: string): boolean => closesFence(each, fence);
  if (isAnnounced(above) || shownOutput.test(fence.info)) return { kind: "quote", until };
  const path = pathOfInfo(fence.info) ?? pathOfLine(above) ?? "";
  return dataFile.test(path) ? { kind: "text", until } : undefined;
}

/** Behind the mark of a list and a picture, words with which no call begins, also behind a label; or a quotation. */
const prose =
  /^[ \t]{0,3}(?:>(?!>|$)|(?:(?:[-*•]|\d{1,2}[.)]?) {0,3})?(?:\p{So}\uFE0F?(?: {1,2}|$))?[*_("'“‘「（]{0,3}(?!(?:actions?|ai|assistant(?:analysis|commentary)?|await|call(?:ing)?|commentary|functions?|invok(?:e|ing)|tools?|using)(?![\p{L}\p{N}]))\p{L}[\p{L}\p{M}\p{N}'’-]*[*_"'”’」）)]{0,3}(?:[，。！？、；]|[,.;!?](?:\s|\P{ASCII})|\s+[\p{L}\p{N}]|[:：]\s*[\p{L}\p{N}'’-]+[\s,.;!?，。！？、；]))/iu;

/** In characters: so much of a line says whether a call may begin with it. */
const maxStart = 400;

/** Whether a line may begin a call; so may each of its beginnings. */
function mayBegin(start: string): boolean {
  return !prose.test(start.slice(0, maxStart));
}

/** Signs of a call that may come behind words on a line; or such a sign has just begun. */
const inline =
  /(?<sign><[|｜][^<>\n"]{1,60}>|<[^<>\s"=|｜]{1,60}[|｜]>|<(?:[\w.-]{1,24}:)?\w{0,20}(?:(?:tool|function)_?(?:calls?|use|code)|function=[\w.]{1,64}|invoke\s[^<>\n]{1,100})>|\[TOOL_CALLS\])|<(?=(?:[^<>\n"]{0,60}|[\w.:-]{0,45}invoke\s[^<>\n]{0,100})$)|\[(?=[A-Z_]{0,12}$)/gi;
/** In characters: so far a line is looked through for signs. */
const maxInline = 2_000;

/**
 * Where a sign of a call is behind words on one line: what is in quotes, or only spoken of, is none.
 *
 * @param from what comes before was looked through
 * @param isOpen the line goes on: a sign may just have begun
 */
function findSign(line: string, from: number, isOpen: boolean): number | undefined {
  if (line.length > maxInline || /^[ \t]*>/.test(line)) return undefined;
  const found = [...line.matchAll(inline)].find(({ 0: text, groups, index }) => {
    if (index < from || groups?.["sign"] === undefined) return index >= from && isOpen;
    const before = line.slice(0, index);
    return !isQuotedAt(before) && /^\s*(?:$|[<{[\w])/.test(line.slice(index + text.length));
  });
  return found?.index;
}

function isQuotedAt(before: string): boolean {
  return (
    before.replace(/^[ \t]*`{3,}/, "").split("`").length % 2 === 0 || /["'“‘「（(]$/.test(before)
  );
}

/** Between the name of a tool and its arguments, where a server has taken away the signs around both. */
const bareBetween =
  /(?::\d{0,4})?(?:\[[A-Z_]{0,12}(?:\]|$))?(?: ?(?:commentary|json)){0,2} {0,2}(?:\{|[a-z]{0,12}\r?\n?$)/y;
const named = /\b[A-Za-z]\w{2,63}\b|\[?\{\s?"(?:name|tool)"\s?:\s?"(?=(\w{3,64})")/g;

/**
 * Where a server has taken away the signs of a call: a name of a tool in front of an object, or at the end of a line; also as
 * `function` and the name in one, or inside of an object.
 */
function findName(
  line: string,
  from: number,
  isOpen: boolean,
  isTool: (name: string) => boolean,
): number | undefined {
  if (line.length > maxInline || /^[ \t]*>/.test(line)) return undefined;
  for (const { 0: whole, 1: inside, index } of line.matchAll(named)) {
    const name = inside ?? whole.replace(/^function(?=\w+_)/, "");
    bareBetween.lastIndex = index + whole.length;
    const before = line.slice(0, index);
    const between = bareBetween.exec(line)?.[0];
    // At the end of a line it may just be spoken of, where it is a word for itself.
    const isBare = between?.endsWith("{") === true || isOpen || /\S$/.test(before);
    const isCall =
      name.includes("_") &&
      (inside === undefined ? between !== undefined && isBare : /[.!?。！？>]$/.test(before));
    if (index >= from && isCall && isTool(name) && !isQuotedAt(before) && !example.test(before))
      return index;
  }
  return undefined;
}

/** The end of a line that goes on may become the name of a tool, or an object with one. */
function nameBegun(line: string, from: number, { names }: Toolbox): number | undefined {
  const [object] = /(?:\[|\[?\{\s?(?:"\w{0,4}(?:"\s?(?::\s?(?:"\w{0,64})?)?)?)?)$/.exec(line) ?? [];
  const [word = ""] = /[A-Za-z]\w{0,63}$/.exec(line.slice(-80)) ?? [];
  const name = word.replace(/^function(?=\w)/, "");
  const isName = name !== "" && ["function", ...names].some((each) => each.startsWith(name));
  const at = line.length - (object ?? (isName ? word : "")).length;
  return at >= from && at < line.length ? at : undefined;
}

// The edits that an answer holds, in any form that `edit/read` knows, as calls of the tool that edits files.

const editOptions = { reasoning: "split", blocks: "events", tagged: "code" } as const;

function textOfEvent(event: EditReaderEvent): string {
  return event.type === "text" ? event.text : "";
}

/** Languages of code blocks that show what was typed or printed. */
const shells =
  /^(?:bash|sh|shell|zsh|console|terminal|cmd|powershell|ps1|text|txt|plaintext|output|log|diff|http)$/i;

/** The call that an edit asks for, or why it cannot be read. */
function readEdit(edit: FileEdit): NamedCall | Message {
  const { filePath, units, codeEdit, error } = edit;
  // What such a diff quotes is all of the file, and nothing comes in its place.
  const isGone = edit.isDeletion === true && units.every(({ replace }) => replace === "");
  if (isGone && filePath !== undefined)
    return { name: "delete_file", args: { target_file: filePath } };
  if (error !== undefined) return unreadableEdit(filePath, error.forModel);
  if (filePath === undefined) return unnamed;
  const code = codeEdit?.code ?? printLoosely(units);
  return editCall(filePath, code);
}

function editCall(target_file: string, code_edit: string): NamedCall {
  return { name: "edit_file", args: { target_file, code_edit } };
}

/** A code block under a path is the text of that file, or code of it with marks. */
function readWholeFile(block: CodeBlock): NamedCall | undefined {
  const { info, isClosed, above, code } = block;
  const path = pathOfInfo(info) ?? pathOfLine(above);
  const [language = ""] = info.trim().split(/[\s:]/);
  const isFile = isClosed && path !== undefined && !shells.test(language) && code.trim() !== "";
  return isFile ? editCall(path, code) : undefined;
}

const unnamed: Message = {
  en: 'An edit in your answer does not say which file it is for, so nothing was changed. Write it as <file-edit filePath="path">...</file-edit>.',
  zh: '回答中有一处修改没有说明针对哪个文件，因此没有修改任何内容。请写成 <file-edit filePath="路径">...</file-edit>。',
};

function unreadableEdit(path: string | undefined, why: string): Message {
  const name = path === undefined ? "a file" : quoteName(path);
  const nameZh = path === undefined ? "文件" : quoteName(path, "zh");
  return {
    en: `The edit of ${name} in your answer could not be read, so nothing was changed. ${why}`,
    zh: `回答中对${nameZh}的修改无法读取，因此没有修改任何内容。请重新发送完整的修改：每个单元依次为一行 \`------- SEARCH\`、要查找的行、一行 \`=======\`、新的行、一行 \`+++++++ REPLACE\`。`,
  };
}

const severalOptions: Message = {
  en: "Your answer offers several ways to change the code, so none was made. Choose one and send only that.",
  zh: "回答给出了多种修改方案，因此没有执行任何一种。请选择一种，只发送该方案。",
};
