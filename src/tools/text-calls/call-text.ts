// A text in that may begin with calls; out come the calls, and how far they go. One grammar for all dialects: signs, the
// name of a tool, signs, and the arguments as an object, as fields in tags, as lines, or in brackets.
import { type FenceLine, closesFence, readFence } from "../../base/text/fence.ts";
import { linesOf, linesWithEnds, withoutLineEnd } from "../../base/text/lines.ts";
import { advance } from "../../base/text/progress.ts";
import { isRecord } from "../../base/text/json.ts";
import type { AnyTool, Toolbox } from "../tool.ts";
import { Cursor } from "./cursor.ts";
import {
  type NamedCall,
  argumentKeys,
  callsOf,
  findPlain,
  hasField,
  isField,
  isResult,
  reasonKeys,
} from "./named-calls.ts";
import type { Quoted } from "./opening.ts";
import { readYaml } from "./read-yaml.ts";

/** Space and the mark of a list, in front of anything. */
const lead = /[ \t]{0,3}(?:[-*•] {1,3}|\d{1,2}[.)] {1,3})?/y;
/** `<|...|>`, `<｜...｜>` and the like, of a model's own vocabulary; tags; words in brackets. */
const token = /<[|｜][^<>\n"]{1,60}>|<[^<>\s"=|｜]{1,60}[|｜]>/y;
const plainTag = /<\/?(?:[|｜\w.-]{1,24}[:|｜])?[A-Za-z_][\w.-]{0,63}>/y;
const bracket =
  /\[CALL_ID\][\w-]{1,40}|\[\/?[A-Z][A-Z_]{1,30}\]|【[^】\n]{1,40}】|functools(?=\[)/y;
const ornament = /<{2,3}|[^\p{L}\p{N}\s{}()[\]"'`|\\/<_.,;-]{1,4}/uy;
const word = /[\p{L}_][\p{L}\p{N}_▁-]{0,30}(?![\p{L}\p{N}_.(])/uy;
const label =
  /\*{0,2}(?:ai ?)?((?:tool|function) call|tool code|action input|[a-z_]\w{1,30}|工具调用|调用工具|函数调用|调用) ?\d{0,2}\*{0,2} ?[:：]\*{0,2}[ \t]*/iy;
/** A word between two signs, and what says whom a message is for. */
const filler = /[\w ]{1,24}(?=<[|｜])|(?:\w{1,20} )?(?:to|name|call)[=:] ?(?=[\w."'])/y;
const fenceLine = /[ \t]*(?:`{3,}[^`\n]*|~{3,}[^~\n]*)\n/y;
const head =
  /(?:print\(|await +)?["'`]?((?:[A-Za-z_]\w{0,40}[.:/]){0,3}[A-Za-z_][\w-]{0,63})["'`]?(?::\d{1,4})?/y;
/** In a block of code what a call returns may get a name. */
const assignment =
  /(?:(?:const|let|var) {1,4})?[A-Za-z_]\w{0,60} {0,4}= {0,4}(?=[\w.]{1,100}\(|await )/y;
const closer =
  /[ \t]*(?:[)\]}`;,]+|<\/[^<>\n]{1,60}>|<(?:end|stop)_\w{1,40}>|<<\/?(?:end)?\w{0,40}>>|[[【«]\/[^\]】»\n]{1,40}[\]】»]|<[|｜](?:\/|call(?=[|｜])|(?:[^<>\n"]{0,40}[\W_])?(?:end|stop|eom|eot|suffix|return))[^<>\n"]{0,40}>|<\w{1,40}\|>)/iy;
/** What a sign of no known kind says that ends a call. */
const ending = /\/|end|stop|done|close|result/i;
const tagLine =
  /<(?<space>[\w.-]{1,24}:|[|｜]\w{1,24}[|｜])?(?<name>[A-Za-z_][\w.-]{0,63})(?:=["']?(?<callee>[\w.:-]{1,64})["']?|(?<attributes>\s(?:[^<>"']|"[^"]*"|'[^']*'){0,400}))?>/y;
const attribute = /\s(?:tool_?)?([\w:-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const callTag = /^(?:invoke|function|tool|tool_call|function_call|tool_use)$/i;
/** Words that say that a call comes. */
const callish =
  /(?:^|[_▁ -])(?:tools?|calls?|functions?|fn|invoke|actions?|plugin|skill|exec|cmd|run|use|op|request)(?:$|[_▁ -])|[a-z]_[a-z]|工具|调用/iu;
/** A sign with which nothing but a call begins. */
const sure =
  /(?:tool|function|action|plugin)s?[▁_ -]?(?:calls?|use|code|start)|toolcall|<[|｜]?(?:invoke|plugin|python_tag|tool)[|｜]?>/i;
const named =
  /(?:^|[{,\n-])\s{0,20}["']?(?:tool|name|function|action)(?:_name)?["']?[ \t]*:[ \t]*["']?([\w.]+)/;
const yamlKey =
  /(?:- )?["']?(?:tool|tool_name|reason|name|action|function|thinking|thought|params|parameters|arguments)["']?[ \t]*:(?=\s)/y;
const yamlName = /(?:- )?["']?\w{1,40}["']?[ \t]*:[ \t]+["']?([\w.-]{1,64})["']?[ \t]*\r?\n/y;
/** What calls in a block of code begin with; a word has to be the name of a tool. */
const blockStart =
  /[{[<]|>>>|[^\p{L}\p{N}\s#/]{0,4}(?:(?:const|let|var) +)?(?:[A-Za-z_]\w{0,60} *= *)?(?:print\(|await +)?((?:[A-Za-z_]\w{0,40}\.){0,3}[A-Za-z_]\w{0,63})(?=[\s({[<|:"'`=-])/uy;
const fieldLine = /[ \t]*["']?([A-Za-z_][\w-]{0,60})["']?[ \t]*:(?=\s)/y;
/** Ends that a text may have; each makes it read once more. */
const maxEnds = 8;
/** Signs in front of a call. */
const maxSigns = 12;

interface Tag {
  name: string;
  /** What it says besides: `NAME` of `<function=NAME>` and `<invoke name="NAME">`. */
  says: string | undefined;
  closing: string;
  length: number;
}

interface Field {
  name: string;
  /** Of its text. */
  start: number;
  closing: string;
}

type Fields = Readonly<Record<string, unknown>>;

interface ReadOptions {
  toolbox: Toolbox;
  /** Nothing comes behind the text. */
  isEnd: boolean;
  /** The model ended by itself: a call that only lacks its end mark counts. */
  isStopped: boolean;
}

/** What the text begins with, and where that ends. */
export type Reading =
  /** `mark`: what signs of this dialect begin with, where that is no bracket. */
  | { kind: "calls"; end: number; calls: readonly NamedCall[]; mark: string }
  /** `quote`: nothing in it is a call or an edit. `fault`: it is a call, and cannot be read. */
  | { kind: "text" | "quote" | "fault"; end: number; until?: Quoted["until"] };

/** Undefined where more text is needed. What was decided holds whatever comes behind the text. */
export function readCallText(text: string, options: ReadOptions): Reading | undefined {
  const { isEnd, isStopped } = options;
  const grammar = new CallGrammar(text, options);
  const calls = grammar.read();
  const isOpen = grammar.isShort && !(isEnd && isStopped);
  if (calls !== undefined && !isOpen)
    return { kind: "calls", calls, end: grammar.at, mark: grammar.mark };
  if (isOpen && !isEnd) return undefined;
  if (isOpen) return { kind: "quote", end: text.length };
  return grammar.explain(isEnd);
}

/** Whether a line holds nothing but signs that end calls. */
export function isClosing(line: string, mark: string): boolean {
  const cursor = new Cursor(line.trim());
  advance(
    () => cursor.at,
    () => cursor.take(closer) !== undefined,
  );
  const isOwn =
    mark !== "" && line.startsWith(mark) && /^[^<{(]{1,40}$/.test(line) && ending.test(line);
  return isOwn || (cursor.at > 0 && cursor.at === cursor.text.length);
}

class CallGrammar extends Cursor {
  mark = "";
  readonly #toolbox: Toolbox;
  readonly #isLast: boolean;
  readonly #closings: string[] = [];
  #fence: FenceLine | undefined;
  /** What is before the body: nothing, a word or signs of no known kind, or signs that models have. */
  #sign: "none" | "weak" | "strong" = "none";
  #isSure = false;
  #body = 0;
  /** Of the block of code, at the earliest. */
  #end = Infinity;
  /** The end of an object that is no call. */
  #other = 0;
  #isResult = false;
  /** The tool that a call names which cannot be read. */
  #named: AnyTool | undefined;
  /** Its arguments begin with a field of that tool, outside of code. */
  #isOpenCall = false;
  /** A label says that the name of a tool comes. */
  #isTool = false;
  /** The text is a block of code. */
  #isCode = false;

  constructor(text: string, { toolbox, isEnd, isStopped }: ReadOptions) {
    super(text);
    this.#toolbox = toolbox;
    this.#isLast = isEnd && isStopped;
  }

  read(): readonly NamedCall[] | undefined {
    this.take(lead);
    this.#body = this.at;
    this.#takeSigns();
    const calls = this.#fence === undefined ? this.#one() : this.#fenced(this.#fence);
    if (calls !== undefined) this.#takeClosers();
    return calls;
  }

  /** What the text is that holds no call. */
  explain(isEnd: boolean): Reading | undefined {
    const [fence, first] = [this.#fence, this.#lineEnd(0)];
    const until = fence && ((line: string) => closesFence(line, fence));
    if (this.#isResult)
      return { kind: "quote", end: until ? first : this.#other, ...(until && { until }) };
    if (this.#looksLikeCall) {
      if (until !== undefined) return { kind: "fault", end: first, until };
      const [closing = ""] = this.#closings;
      const end = closing === "" ? -1 : this.text.indexOf(closing, this.#body);
      if (end === -1 && closing !== "" && !isEnd) return undefined;
      return { kind: "fault", end: end === -1 ? this.text.length : this.#lineEnd(end) };
    }
    if (until !== undefined) return { kind: "text", end: first, until };
    // An edit whose quotes do not fit may still be one for the reader of edits.
    return this.#named?.effect === "write"
      ? { kind: "text", end: first, until: endsBracket }
      : { kind: "text", end: Math.max(first, this.#other) };
  }

  get #looksLikeCall(): boolean {
    this.at = this.#body;
    if (this.#other > 0 && !this.#isSure) return false;
    if (this.#isSure && this.see(/\s*(?:$|[<{[])|[ \t]*\n/y) !== undefined) return true;
    if (this.#named !== undefined && (this.#sign === "strong" || this.#isOpenCall)) return true;
    const isFields = this.#fence !== undefined && this.see(yamlKey) !== undefined;
    const isObject = isFields || this.see(/\s*[{[]/y) !== undefined;
    const text = this.text.slice(this.at, Math.min(this.at + 400, this.#end));
    const [, name = ""] = (isObject && named.exec(text)) || [];
    return this.#toolbox.find(name) !== undefined;
  }

  #lineEnd(from: number): number {
    return this.text.indexOf("\n", from) + 1 || this.text.length;
  }

  #takeSigns(): void {
    let count = 0;
    const step = (): boolean => {
      count += 1;
      if (count > (this.#isSure ? maxSigns : maxSigns / 3) || this.#takeFence()) return false;
      return this.#takeMark() || this.#takeLabel() || this.#takeOrnament();
    };
    advance(() => this.at, step);
    if (this.#sign !== "none" && this.next === "") this.isShort = true;
  }

  /** A token, a plain tag, or a word in brackets, with the space behind it. */
  #takeMark(tool?: AnyTool): boolean {
    const tag = this.#tag(this.at);
    if (tag !== undefined && this.#nameOf(tag) !== undefined) return false;
    if (this.#field(this.at, tool, false) !== undefined) return false;
    const [sign] = this.take(token) ?? this.take(plainTag) ?? this.take(bracket) ?? [];
    if (sign === undefined) return false;
    if (tag !== undefined) this.#closings.push(tag.closing);
    this.#sign = "strong";
    if (sure.test(sign)) this.#isSure = true;
    this.#body = this.at;
    this.take(this.#isSure ? /\s*/y : /[ \t]*(?:\r?\n[ \t]*)?/y);
    const [between = ""] = this.see(filler) ?? [];
    if (this.#find(between.trim()) === undefined) this.at += between.length;
    if (between.includes("to=")) this.#isSure = true;
    return true;
  }

  #takeFence(): boolean {
    if (this.#fence !== undefined || this.#sign === "weak") return false;
    const before = this.text.slice(0, this.at);
    const line = this.take(fenceLine)?.[0];
    const indent = before.trim() === "" ? before : "";
    this.#fence = line === undefined ? undefined : readFence(indent + line.trimEnd());
    if (line !== undefined && this.#sign === "none") this.#sign = "weak";
    return line !== undefined;
  }

  #takeLabel(): boolean {
    const [whole = "", name = ""] = this.see(label) ?? [];
    if (whole === "" || this.#find(name) !== undefined) return false;
    if (this.#sign === "none" && !callish.test(name)) return false;
    this.at += whole.length;
    this.#isTool ||= /^tool/i.test(name);
    if (this.#sign === "none") this.#sign = "strong";
    return true;
  }

  /** Other signs around a word, or before it. */
  #takeOrnament(): boolean {
    const start = this.at;
    const mark = this.take(ornament)?.[0];
    if (mark === undefined) return false;
    this.take(/ ?/y);
    const [name = ""] = this.see(word) ?? [];
    const isTool = this.#find(name) !== undefined;
    if (name !== "" && !isTool && (this.#sign !== "none" || callish.test(name))) {
      this.at += name.length;
      this.take(/ ?[^\p{L}\p{N}\s{}()[\]"'`|\\/<_.,;-]{1,4}/uy);
    } else if (!isTool && mark !== ">>>") {
      this.at = start;
      return false;
    }
    if (this.#sign === "none") [this.#sign, this.mark] = ["weak", mark];
    this.take(/[ \t]*(?:\r?\n(?=[^\s`~]|$))?/y);
    return true;
  }

  #takeClosers(): void {
    advance(
      () => this.at,
      () => this.take(closer) !== undefined,
    );
    if (this.see(/[ \t]*\r?\n/y)) this.at = this.#lineEnd(this.at);
  }

  /** By the tool's own name, or one that can be nothing else. */
  #find(name: string): AnyTool | undefined {
    return findPlain(this.#toolbox, name);
  }

  #one(): readonly NamedCall[] | undefined {
    if (this.see(/\{|\[\s*(?:[[{"\]]|$)/y) !== undefined) return this.#object();
    // A list of functions.
    this.take(/\[\s*(?=[\w.]{1,100}\()/y);
    if (this.next !== "<") return this.#call();
    const tag = this.#tag(this.at);
    return tag && this.#element(tag);
  }

  #object(): readonly NamedCall[] | undefined {
    const value = this.json();
    const calls = callsOf(value, this.#toolbox, this.#isSure);
    this.#isResult = isResult(value);
    const isAlone =
      this.#sign !== "none" ||
      this.#fence !== undefined ||
      this.see(/[ \t;,]*(?:\r?\n|$|[<{[])/y) !== undefined;
    if (calls !== undefined && isAlone) {
      this.take(/[ \t;,]*/y);
      return calls;
    }
    if (value !== undefined) this.#other = this.#lineEnd(this.at);
    return undefined;
  }

  /** The name of a tool, and its arguments. */
  #call(): readonly NamedCall[] | undefined {
    // Indented like this it is code that is shown.
    const isShown = /\n(?: {4}|\t)[ \t]*$/.test(
      this.text.slice(Math.max(0, this.at - 20), this.at),
    );
    if (isShown && !this.#isSure && !this.#isCode) return undefined;
    if (this.#isCode) this.take(assignment);
    const [, name = ""] = this.take(head) ?? [];
    const tool = this.#toolbox.find(name);
    if (tool === undefined && !(this.#isSure && name !== "")) return undefined;
    if (this.next !== "(") return this.#withArguments(name, tool);
    const call = tool && this.#function(name, tool);
    // A sentence may begin so, too.
    this.#takeClosers();
    this.take(/[ \t]*(?:#|\/\/)[^\n]*\n?/y);
    const isEnd = this.at >= this.text.length || this.text[this.at - 1] === "\n";
    const isAlone = isEnd || this.#sign === "strong" || this.see(/[ \t]*[\w.]{1,100}\(/y);
    return call && isAlone ? [call] : undefined;
  }

  #function(name: string, tool: AnyTool): NamedCall | undefined {
    const [, first = ""] = this.take(/\((?=\s*["']?(\w{1,60})["']?\s*[=:])?/y) ?? [];
    const found = this.arguments(")");
    const isPlain = this.#find(name) !== undefined || this.#sign === "strong";
    if (found === undefined && isPlain) this.#named = tool;
    if (!this.#isCode && tool.effect === "read") this.#isOpenCall = isField(tool, first);
    if (found === undefined) return undefined;
    const [only, ...others] = found.placed;
    const names = Object.keys(found.named);
    const isObject = isRecord(only) && others.length + names.length === 0;
    const args = isObject ? only : { ...place(tool, found.placed), ...found.named };
    const given = isObject ? Object.keys(only) : names;
    const isKnown = given.some((each) => isField(tool, each));
    return isKnown || (isPlain && given.length === 0) ? { name, args } : undefined;
  }

  /** What comes behind the name of a tool. */
  #withArguments(name: string, tool: AnyTool | undefined): readonly NamedCall[] | undefined {
    const toCalls = (args: unknown): readonly NamedCall[] | undefined =>
      isRecord(args) && (this.#sign !== "none" || (tool && hasField(tool, args)))
        ? callsOf({ tool: name, arguments: args }, this.#toolbox, true)
        : undefined;
    const isPlain = this.#find(name) !== undefined || this.#isTool;
    const lines = isPlain ? this.#lines(tool) : undefined;
    if (lines !== undefined) return callsOf({ tool: name, ...lines }, this.#toolbox, true);
    const isInput = this.#takeBetween(tool);
    if (this.next === "{") {
      this.#named = tool;
      const isOwn = this.see(/\{\s*\w+\s*:\s*(?:<escape>|<\|"\|>)/y) !== undefined;
      if (!isOwn) return toCalls(this.json());
      this.at += 1;
      return toCalls(this.arguments("}")?.named);
    }
    if (this.next === "(" && tool !== undefined) {
      const call = this.#function(name, tool);
      return call && [call];
    }
    if (this.next === "<") {
      const fields = this.#fields(tool);
      if (fields !== undefined || tool === undefined) return toCalls(fields);
    }
    if (tool === undefined) return undefined;
    const text = isInput ? this.take(/[^\n{[<]{1,400}(?=\n|$)/y)?.[0].trim() : undefined;
    if (text !== undefined && text !== "") return [{ name, args: place(tool, [text]) }];
    const isBare = this.#isSure && this.see(/\s*(?:$|<[/|｜]|\[)/y) !== undefined;
    return isBare ? [{ name, args: {} }] : undefined;
  }

  /** Signs between a name and its arguments. @returns whether the last one says that an input comes */
  #takeBetween(tool: AnyTool | undefined): boolean {
    const start = this.at;
    let isInput = false;
    const take = (pattern: RegExp): boolean => this.take(pattern) !== undefined;
    const step = (): boolean => {
      if (this.at - start > 200 || (this.#sign !== "none" && this.next === "")) return false;
      if (this.#sign === "none") return take(/\r?\n(?=\{|$)/y);
      if (take(/[\s:=|,>*-]+/y) || take(/\w{1,20} ?(?=<[|｜])/y)) return true;
      if (this.#sign === "strong" && take(fenceLine)) return true;
      // The end of a tag with the name, and another one for the arguments.
      if (take(/<\/([\w:.-]{1,40})>\s*(?=<(?!\1)\w)/y)) return true;
      if (this.see(/<\/[^<>\n]{1,60}>\s*$/y) !== undefined) this.isShort = true;
      if (this.see(closer) !== undefined) return false;
      const isLabel = this.see(/\W*action input/iy) !== undefined;
      isInput ||= isLabel;
      return this.#takeLabel() || this.#takeOrnament() || this.#takeMark(tool);
    };
    advance(() => this.at, step);
    return isInput;
  }

  /** Fields below the name, each on its line, as YAML. */
  #lines(tool: AnyTool | undefined): Fields | undefined {
    const start = this.at;
    if (this.take(/[ \t]*\r?\n/y) === undefined) return undefined;
    const isPart = (at: number): boolean => {
      fieldLine.lastIndex = at;
      const [whole = "", name = ""] = fieldLine.exec(this.text) ?? [];
      if (/^[ \t]/.test(this.text.slice(at, at + 1)) && at !== this.at) return true;
      const isOwn = tool !== undefined && isField(tool, name);
      return whole !== "" && (isOwn || argumentKeys.test(name) || reasonKeys.test(name));
    };
    let end = this.at;
    const step = (): boolean => {
      const next = end + (this.see(/(?:[ \t]*\r?\n)*/y, end)?.[0].length ?? 0);
      if (next >= this.text.length) this.isShort = true;
      if (next >= this.text.length || !isPart(next)) return false;
      end = this.#lineEnd(next);
      return true;
    };
    advance(() => end, step);
    const lines = linesOf(this.text.slice(this.at, end));
    // The sign that ends the call may be on the last line.
    const last = lines
      .pop()
      ?.replace(/^([^"\n]{1,60}:[ \t]*".*")[ \t]*[^\w\s"'][^\s"']{0,40}$/, "$1");
    if (last !== undefined) lines.push(last);
    const value = end > this.at ? readYaml(lines) : undefined;
    this.at = value === undefined ? start : end;
    return isRecord(value) ? value : undefined;
  }

  /** A block of code. Its texts may hold fences: it ends at the first with which it reads, and else at the last. */
  #fenced(fence: FenceLine): readonly NamedCall[] | undefined {
    const start = this.at;
    this.take(/\s*/y);
    this.#body = this.at;
    const isYaml =
      (this.see(yamlKey) ?? this.#toolbox.find(this.see(yamlName)?.[1] ?? "")) !== undefined;
    const isOpen = this.next === "" || isYaml || this.#opensCall();
    const ends = isOpen ? this.#fenceEnds(fence, start) : [];
    this.#end = ends[0] ?? Infinity;
    const loose = ends.length === 0 ? [this.text.length] : isYaml ? ends.toReversed() : [];
    for (const [nth, end] of [...ends, ...(isOpen && this.#isLast ? loose : [])].entries()) {
      const lines = linesOf(this.text.slice(start, end));
      const value = isYaml ? readYaml(lines, nth >= ends.length && ends.length > 0) : undefined;
      const inside = this.#inside(lines.join("\n"));
      const calls = isYaml ? callsOf(value, this.#toolbox, this.#isSure) : inside.#all();
      this.at = this.#lineEnd(end);
      if (calls !== undefined) return calls;
      this.#isResult = isResult(value) || inside.#isResult;
      if (value !== undefined || inside.#other > 0) this.#other = this.at;
      if (this.#other > 0) return undefined;
    }
    this.isShort ||= isOpen;
    return undefined;
  }

  /** Reads the text of a block of code. */
  #inside(text: string): CallGrammar {
    const toolbox = this.#toolbox;
    const inside = new CallGrammar(text, { toolbox, isEnd: true, isStopped: true });
    [inside.#isCode, inside.#isSure, inside.#sign] = [true, this.#isSure, "weak"];
    return inside;
  }

  /** Whether what comes first in a block of code may be a call. */
  #opensCall(): boolean {
    const [first, name = ""] = this.see(blockStart) ?? [];
    return first !== undefined && (name === "" || this.#toolbox.find(name) !== undefined);
  }

  /** Calls to the end of the text; behind an object or a tag there may be anything, among functions nothing else. */
  #all(): readonly NamedCall[] | undefined {
    const calls: NamedCall[] = [];
    let [isCode, isWhole] = [false, true];
    const step = (): boolean => {
      this.skip();
      if (this.next === "") return false;
      this.#takeSigns();
      const isFunction = !/[{[<]/.test(this.next);
      const more = this.#one();
      isWhole = more !== undefined;
      isCode ||= isFunction && isWhole;
      for (const each of more ?? []) calls.push(each);
      if (more !== undefined) this.#takeClosers();
      return more !== undefined;
    };
    advance(() => this.at, step);
    return calls.length > 0 && (isWhole || !isCode) ? calls : undefined;
  }

  /** Where lines begin that may close the block. */
  #fenceEnds(fence: FenceLine, from: number): number[] {
    const ends: number[] = [];
    let at = from;
    for (const raw of linesWithEnds(this.text.slice(from))) {
      if (closesFence(withoutLineEnd(raw), fence)) ends.push(at);
      at += raw.length;
    }
    return ends.slice(0, maxEnds);
  }

  /** The opening tag at a place. */
  #tag(at: number): Tag | undefined {
    const match = this.see(tagLine, at);
    const { space = "", name = "", callee, attributes = "" } = match?.groups ?? {};
    if (match === undefined) return undefined;
    const said = [...attributes.matchAll(attribute)].map(
      ([, key = "", ...texts]) => [key, texts.find((each) => each !== undefined)] as const,
    );
    const says = callee ?? (said.find(([key]) => key === "name") ?? said[0])?.[1];
    return { name, says, closing: `</${space}${name}>`, length: match[0].length };
  }

  /** The name of the tool that an element calls. */
  #nameOf({ name, says }: Tag): string | undefined {
    if (says === undefined) return this.#find(name) && name;
    return callTag.test(name) || this.#find(says) !== undefined ? says : undefined;
  }

  #element(tag: Tag): readonly NamedCall[] | undefined {
    const name = this.#nameOf(tag);
    if (name === undefined) return undefined;
    this.at += tag.length;
    this.#closings.push(tag.closing);
    this.#sign = "strong";
    this.take(/\s*/y);
    const isEmpty = this.text.startsWith(tag.closing, this.at);
    const calls = isEmpty
      ? [{ name, args: {} }]
      : this.#withArguments(name, this.#toolbox.find(name));
    if (calls === undefined) return undefined;
    this.take(/\s*/y);
    const isEnded = this.#closings.some((each) => this.text.startsWith(each, this.at));
    const end = this.text.indexOf(tag.closing, this.at);
    if (end === -1 && !isEnded) this.isShort = true;
    if (end !== -1 && (!isEnded || end === this.at)) this.at = end + tag.closing.length;
    return calls;
  }

  /** Fields of a call, each in a tag. */
  #fields(tool: AnyTool | undefined): Fields | undefined {
    const fields = new Map<string, string>();
    let field: Field | undefined;
    const step = (): boolean => {
      this.take(/\s*/y);
      field = this.next === "" ? undefined : this.#field(this.at, tool, true);
      const value = field && this.#value(field, tool);
      if (field !== undefined && value !== undefined) fields.set(field.name, value);
      return value !== undefined;
    };
    advance(() => this.at, step);
    return field === undefined && fields.size > 0 ? Object.fromEntries(fields) : undefined;
  }

  /** The field that begins at a place: in a tag that says its name, or has it, or behind a tag with its name. */
  #field(at: number, tool: AnyTool | undefined, isInside: boolean): Field | undefined {
    const tag = this.#tag(at);
    if (tag === undefined) return undefined;
    const { says, name, closing } = tag;
    const start = at + tag.length;
    if (says !== undefined)
      return isInside && name !== "a" ? { name: says, start, closing } : undefined;
    if (tool !== undefined && isField(tool, name)) return { name, start, closing };
    const end = this.text.slice(start, start + 80).indexOf(closing);
    const key = this.text.slice(start, start + end).trim();
    const isKey = end > 0 && (tool === undefined ? /key/i.test(name) : isField(tool, key));
    const next = this.#behindSpace(start + end + closing.length);
    if (isKey && next >= this.text.length) this.isShort = true;
    const holder = isKey ? this.#tag(next) : undefined;
    return holder && { name: key, start: next + holder.length, closing: holder.closing };
  }

  #behindSpace(at: number): number {
    return at + (this.see(/\s*/y, at)?.[0].length ?? 0);
  }

  /** It ends where another field or the end of the call follows: a text may hold its own closing tag, too. */
  #value({ start, closing }: Field, tool: AnyTool | undefined): string | undefined {
    let end = this.text.indexOf(closing, start);
    while (end !== -1 && !this.#endsValue(end + closing.length, tool))
      end = this.text.indexOf(closing, end + 1);
    if (end === -1) this.isShort = true;
    if (end === -1) return undefined;
    this.at = end + closing.length;
    return plainValue(this.text.slice(start, end));
  }

  #endsValue(from: number, tool: AnyTool | undefined): boolean {
    const at = this.#behindSpace(from);
    if (at >= this.text.length) this.isShort = true;
    if (at >= this.text.length) return this.#isLast;
    if (this.#closings.some((each) => this.text.startsWith(each, at))) return true;
    if (this.#field(at, tool, true) !== undefined) return true;
    return this.#closings.length === 0 || this.see(/<[|｜]/y, at) !== undefined;
  }
}

/** Arguments without names are those that a call cannot be without, in their order. */
function place(tool: AnyTool, values: readonly unknown[]): Record<string, unknown> {
  const names = tool.placed ?? Object.keys(tool.fields).slice(0, 1);
  return Object.fromEntries(names.slice(0, values.length).map((name, nth) => [name, values[nth]]));
}

/** The brackets of a call close after a text, or on a line of their own. */
function endsBracket(line: string): boolean {
  const bare = line.replaceAll(/[ \t;]/g, "");
  return /["'`]\)$/.test(bare) || bare === ")";
}

/** Without the line ends next to the tags; a text on one line is trimmed. */
function plainValue(raw: string): string {
  const [, data = raw] = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/.exec(raw) ?? [];
  const text = data.replaceAll("\r\n", "\n").replace(/^\n/, "");
  const last = text.lastIndexOf("\n");
  const cut = last !== -1 && text.slice(last).trim() === "" ? text.slice(0, last) : text;
  return cut.includes("\n") || last !== -1 ? cut : cut.trim();
}
