// A text in that may begin with calls; out come the calls, and how far they go. One grammar for all dialects: signs, the
// name of a tool, signs, and the arguments as an object, as fields in tags, as lines, or in brackets.
import { type FenceLine, closesFence, readFence } from "../../base/text/fence.ts";
import { endOfLine, indentOf, linesWithEnds } from "../../base/text/lines.ts";
import { type Fields, isRecord } from "../../base/text/json.ts";
import { isEverywhereKey } from "../../edit/read/forms/json-edits.ts";
import { reasons, recordOf } from "../arguments/fit-input.ts";
import type { AnyTool, Toolbox } from "../tool.ts";
import { Cursor, type OpeningTag, elementText } from "../../base/text/cursor.ts";

/** Space, the mark of a list, and a picture, in front of anything. */
const lead = /[ \t]{0,3}(?:[-*•] {1,3}|\d{1,2}[.)] {1,3})?(?:\p{So}\uFE0F? {1,2})?/uy;
const label =
  /\[?\*{0,2}([\p{L}_][\p{L}\p{N}_]{0,30}(?: [\p{L}_][\p{L}\p{N}_]{0,30}){0,2}) ?\d{0,2}\*{0,2} ?[:：]\*{0,2}/uy;
/** Signs of no known kind around a word, and those in front of a name. */
const dress =
  /(?:<{2,3}|[^\p{L}\p{N}\s{}()[\]"'`|\\/<_.,;-]{1,4}) ?([\p{L}_][\p{L}\p{N}_▁-]{0,30})(?![\p{L}\p{N}_.(])(?: ?[^\p{L}\p{N}\s{}()[\]"'`|\\/<_.,;-]{1,4})?/uy;
const ornament = /(?:<{2,3}|[-=]>|[^\p{L}\p{N}\s{}()[\]"'`|\\/<_.,;-]{1,4}) ?/uy;
const weakSigns = [label, dress, ornament];
/** What comes before a name, each with the word in it: signs of a model's own, tags, capitals in brackets, labels, others. */
const signs = [
  /<[|｜][^<>\n"]{1,60}>|<[^<>\s"=|｜]{1,60}[|｜]>|\[CALL_ID\][\w-]{1,40}|functools(?=\[)|(?:\w{1,20} ){0,2}to=(?=\w)/y,
  /<\/?(?:[|｜\w.-]{1,24}[:|｜])?([A-Za-z_][\w.-]{0,63})(?:\s[^<>]{1,200})?>|\[\/?([A-Za-z][A-Za-z_]{1,30})\]/y,
  /(?:[Cc]alling|[Uu]sing|[Ii]nvoking|Call|Invoke)(?: (?:the )?(?:tool|function))? (?=["'`*]{0,3}\w)/y,
  ...weakSigns,
];
/** A word between two signs, and what says whom a message is for. */
const filler =
  /[\w ]{1,24}(?=<[|｜])|(?:\w{1,20} )?(?:to|name|call)[=:] ?(?=[\w."'])|[\w.]{1,60} (?=\{)/y;
/** Between a name and its arguments. */
const plainBetween =
  /(?:\][ :]{0,3}|[ :]{1,3}|\[[A-Z_]{2,12}\]| ?(?:commentary ?)?json ?)(?=\{)|(?:\r?\n){1,2}(?=\{|`{3}|$)/y;
/** The same behind signs: also the end of a tag with the name, in front of another one for the arguments. */
const signedBetween =
  /[\s:=|,>*-]+|\w{1,20} ?(?=<[|｜])|(?:[a-z]{1,12}[ :：]{0,2}){1,3}(?:\r?\n)?(?=\{|$)|<\/([\w:.-]{1,40})>\s*(?=<(?!\1[\s>])\w)/y;
const fenceLine = /[ \t]*(?:`{3,}[^`\n]*|~{3,}[^~\n]*)\n/y;
const head =
  /(?:print\(|await +)?["'`]?(?:function(?=[a-z]+_))?((?:[A-Za-z_]\w{0,40}[.:/](?!call\()){0,3}[A-Za-z_][\w-]{0,63})["'`]?(?::\d{1,4}|\.call(?=\())?/y;
/** In a block of code what a call returns may get a name. */
const assignment =
  /(?:(?:const|let|var) {1,4})?[A-Za-z_]\w{0,60} {0,4}= {0,4}(?=[\w.]{1,100}\(|await )/y;
const closer =
  /[ \t]*(?:[)\]}`;,]+|<\/[^<>\n]{1,100}>|<(?:end|stop)_\w{1,40}>|<<\/?(?:end)?\w{0,40}>>|[[【«]\/[^\]】»\n]{1,40}[\]】»]|<[|｜](?:\/|call(?=[|｜])|(?:[^<>\n"]{0,40}[\W_])?(?:end|stop|eom|eot|suffix|return))[^<>\n"]{0,40}>|<\w{1,40}\|>|[^\p{L}\p{N}\s{}()[\]"'`|\\<>_*.,;#-]{1,4}(?:end|stop|done|close|result)(?:[^\p{L}\p{N}\s]{1,4}|(?=\s|$)))/iuy;
const callTag = /^(?:invoke|function|tool|tool_call|function_call|tool_use)$/i;
/** Words that say that a call comes. */
const callish =
  /(?:^|[_▁ -])(?:tools?|calls?|functions?|fn|invoke|actions?|plugin|skill|exec|cmd|code|run|use|op|request)(?:$|[_▁ -])|toolcall|[a-z]_[a-z]|工具|调用/iu;
/** A sign with which nothing but a call begins. */
const sure =
  /(?:tool|function|action|plugin)s?[▁_ -]?(?:calls?|use|code|start)|toolcall|<[|｜]?(?:invoke|plugin|python_tag|tool)[|｜]?>/i;
/** Where an object or lines of fields name a tool. */
const keyOfTool =
  /(?:^|[{,\n-])\s{0,20}["']?(?:[a-z]{1,20}_)?(?:tool|name|function|action)(?:_name)?["']?[ \t]*:[ \t]*["']?([\w.]+)/i;
const fieldLine =
  /\s*\n([ \t]*)(?:[-*•] )?["'*`]{0,3}([A-Za-z_][\w-]{0,60})["'*`]{0,3}[ \t]*:(?=[\s*])\*{0,2}[ \t]*/y;
/** No word for people. */
const fieldName = /[a-z]_[a-z]|[a-z][A-Z]/;
/** Signs in front of a call. */
const maxSigns = 12;

interface Tag extends OpeningTag {
  /** The name of the tool that it calls: its own, or what it says. */
  calls: string | undefined;
  /** What it says besides its own name: `NAME` of `<parameter=NAME>` and `<parameter name="NAME">`. */
  says: string | undefined;
}

/** A call as an answer writes it. Arguments that cannot be read stay as they are: who runs the call says so. */
export interface NamedCall {
  name: string;
  args: Fields | string;
}
type Calls = readonly NamedCall[];

interface ReadOptions {
  toolbox: Toolbox;
  /** Nothing comes behind the text. */
  isEnd: boolean;
  /** The model ended by itself: a call that only lacks its end mark counts. */
  isStopped: boolean;
}

/** What the text begins with, and where that ends. */
export interface Reading {
  /** `quote`: nothing in it is a call or an edit. `fault`: it is a call, and cannot be read. */
  kind: "calls" | "text" | "quote" | "fault";
  end: number;
  calls?: Calls;
  /** It goes on to the line of which this is true. */
  until?: ((line: string) => boolean) | undefined;
}

/** Undefined where more text is needed. What was decided holds whatever comes behind the text. */
export function readCallText(
  text: string,
  { toolbox, isEnd, isStopped }: ReadOptions,
): Reading | undefined {
  const grammar = new CallGrammar(text, toolbox);
  const reading = grammar.read();
  if (!grammar.isShort || (isEnd && isStopped)) return reading;
  return isEnd ? { kind: "quote", end: text.length } : undefined;
}

/** So far a line holds nothing but signs that end calls. */
export function closingEnd(line: string): number {
  const cursor = new Cursor(line);
  cursor.takeAll(closer);
  return cursor.at;
}

class CallGrammar extends Cursor {
  readonly #toolbox: Toolbox;
  readonly #closings: string[] = [];
  #fence: FenceLine | undefined;
  /** Signs, or a word that says that a call comes, are before the name. */
  #isSigned = false;
  #isSure = false;
  #body = 0;
  /** The end of an object that is no call. */
  #other = 0;
  #isResult = false;
  /** A call begins, and cannot be read. */
  #isFault = false;

  constructor(text: string, toolbox: Toolbox) {
    super(text);
    this.#toolbox = toolbox;
  }

  read(): Reading {
    this.take(lead);
    this.#takeSigns();
    const calls = this.#fence === undefined ? this.#one() : this.#fenced(this.#fence);
    if (calls === undefined) return this.#explain();
    this.#takeClosers();
    return { kind: "calls", calls, end: this.at };
  }

  /** What the text is that holds no call. */
  #explain(): Reading {
    const [fence, first] = [this.#fence, endOfLine(this.text, 0)];
    const kind = this.#isResult ? "quote" : this.#looksLikeCall ? "fault" : "text";
    if (fence !== undefined) return { kind, end: first, until: (line) => closesFence(line, fence) };
    if (kind !== "fault") return { kind, end: Math.max(first, this.#other) };
    const [closing] = this.#closings;
    const end = closing === undefined ? -1 : this.find(closing, this.#body);
    return { kind, end: end === -1 ? this.text.length : endOfLine(this.text, end) };
  }

  get #looksLikeCall(): boolean {
    if (this.#other > 0 && !this.#isSure) return false;
    const isSure = this.#isSure || /^\s*<[|｜]/.test(this.text);
    const [, callee = ""] = this.see(head, this.#body) ?? [];
    if (isSure && this.#find(callee) !== undefined) return true;
    const isBegun = this.see(/\s*(?:$|[<{[])|(?<=\n[ \t]*)/y, this.#body) !== undefined;
    if (this.#isFault || (this.#isSure && isBegun)) return true;
    const isBlock = this.#fence !== undefined;
    const from = isBlock ? endOfLine(this.text, 0) : this.#body;
    if (!isBlock && this.see(/\s*[{[]/y, from) === undefined) return false;
    const [text = ""] = this.text.slice(from, from + 400).split(/\n\s{0,3}(?:`{3}|~{3})/, 1);
    const [, key = ""] = /^[\s[]*\{\s*"(\w+)"\s*:\s*[{"]/.exec(text) ?? [];
    const [, name = ""] = keyOfTool.exec(text) ?? [];
    return (this.#find(name) ?? this.#find(key)) !== undefined;
  }

  /** The tool of a name that can be nothing else: words such as `edit` and `done` mean other things as well. */
  #find(name: string): AnyTool | undefined {
    const tool = this.#toolbox.find(name);
    return name === tool?.name || /[_.]|Tool$/.test(name) ? tool : undefined;
  }

  /** Signs in front of a call; behind the name of its tool those in front of the arguments. */
  #takeSigns(): void {
    let count = 0;
    this.repeat(() => {
      this.#body = this.at;
      return ++count <= maxSigns && !this.#takeFence(undefined) && this.#takeSign(undefined);
    });
  }

  #takeSign(tool: AnyTool | undefined): boolean {
    const tag = this.#tag(this.at);
    if (tag?.calls !== undefined || (tool && this.#field(this.at, tool))) return false;
    const isSign = (pattern: RegExp): boolean => {
      const [sign = "", ...words] = this.see(pattern) ?? [];
      const word = words.find((each) => each !== undefined) ?? "";
      const [name = ""] = this.see(/[\w.]+/y, this.at + sign.length) ?? [];
      if (pattern === ornament && sign.trim() !== ">>>" && !this.#find(name)) return false;
      const isCallish = word === "" || this.#isSigned || callish.test(word);
      return sign !== "" && isCallish && this.#find(word) === undefined;
    };
    const pattern = signs.find(isSign);
    if (pattern === undefined) return false;
    const [sign = ""] = this.take(pattern) ?? [];
    if (tag !== undefined) this.#closings.push(tag.closing);
    this.#isSigned = true;
    this.#isSure ||= !weakSigns.includes(pattern) && sure.test(sign);
    this.take(this.#isSure ? /\s*/y : /[ \t]*(?:\r?\n {0,3}(?=\S|$))?/y);
    const [between = ""] = this.see(filler) ?? [];
    if (this.#find(between.trim()) === undefined) this.at += between.length;
    return true;
  }

  /** In front of the name of a tool it opens a block that ends with the calls. */
  #takeFence(tool: AnyTool | undefined): boolean {
    const indent = indentOf(this.text.slice(0, this.at));
    const [line] = this.take(fenceLine) ?? [];
    if (line === undefined) return false;
    if (tool === undefined) this.#fence = readFence(indent + line.trimEnd());
    this.#isSigned ||= callish.test(line);
    this.#isSure ||= sure.test(line);
    return true;
  }

  #takeClosers(): void {
    if (this.text.charAt(this.at - 1) === "\n") return;
    this.takeAll(closer);
    if (this.see(/[ \t]*\r?\n/y)) this.at = endOfLine(this.text, this.at);
  }

  /** An object or a list, or the name of a tool, also in a tag, and its arguments. */
  #one(): Calls | undefined {
    if (this.see(/\{|\[\s*(?:[[{"\]]|$)/y) !== undefined) return this.#object();
    // A list of functions.
    const [, named] = this.take(/\[\s*(?=[\w.]{1,100}(?:\]|\((\s*\w{1,60}\s*=)?))/y) ?? [];
    this.#isSigned ||= named !== undefined;
    if (this.#fence !== undefined || this.#isSigned) this.take(assignment);
    if (this.next === "<") return this.#element();
    const [written = "", name = ""] = this.take(head) ?? [];
    // Nothing but a call has a number.
    this.#isSigned ||= /:\d+$/.test(written);
    const tool = this.#toolbox.find(name);
    const args = tool && this.#argumentsOf(name, tool);
    return args && [{ name, args }];
  }

  /** A call in a tag that says its tool. Its fields are attributes of the tag, or inside of it. */
  #element(): Calls | undefined {
    const tag = this.#tag(this.at);
    const name = tag?.calls;
    if (tag === undefined || name === undefined) return undefined;
    const tool = this.#toolbox.find(name);
    this.at = tag.end;
    this.#closings.push(tag.closing);
    this.#isSigned = true;
    const given = tag.attributes.filter(([key, value]) => value !== name && mayHave(tool, key));
    if (tag.isEmpty && given.length === 0 && tag.name === name) return undefined;
    const isBare = tag.isEmpty || this.text.startsWith(tag.closing, this.#behindSpace(this.at));
    const args = isBare ? {} : this.#argumentsOf(name, tool);
    if (!tag.isEmpty) {
      const next = this.#behindSpace(this.at);
      const end = this.#endsTag(next) ? next : this.find(tag.closing, this.at);
      if (end !== -1) this.at = end;
    }
    if (args === undefined || given.length === 0) return args && [{ name, args }];
    return this.#callsOf({ tool: name, ...Object.fromEntries(given), ...args }, true);
  }

  #object(): Calls | undefined {
    const value = this.json();
    const calls = this.#callsOf(value, this.#isSure);
    if (calls === undefined && value !== undefined) this.#other = endOfLine(this.text, this.at);
    this.#isResult = isPast(value);
    return calls;
  }

  #function(name: string, tool: AnyTool): Fields | undefined {
    const [, first = ""] = this.see(/\([\s{]*["']?(\w{1,60})["']?\s*[=:]\s*(?:["'`{[\d]|$)/y) ?? [];
    this.at += 1;
    const isPlain = this.#find(name) !== undefined || this.#isSigned;
    const found = this.callArguments();
    if (found === undefined) {
      const isCall = this.#isSigned || tool.effect === "write" || isField(tool, first);
      this.#isFault = isPlain && isCall;
      return undefined;
    }
    const [only] = found.placed;
    const named = isRecord(only) ? { ...only, ...found.named } : found.named;
    const args = isRecord(only) ? named : { ...place(tool, found.placed), ...named };
    const names = Object.keys(named);
    const isCall = names.some((each) => isField(tool, each)) || (isPlain && names.length === 0);
    this.#takeClosers();
    // A sentence may begin so, too.
    const isAlone = this.#isSigned || this.see(/$|(?<=[>\n])|[ \t]*[\w.]{1,100}\(/y) !== undefined;
    return isAlone && isCall ? args : undefined;
  }

  /** What comes behind the name of a tool. */
  #argumentsOf(name: string, tool: AnyTool | undefined): Fields | undefined {
    const known = (args: unknown): Fields | undefined => {
      const isArguments = isRecord(args) && !isSchema(args) && !isPast(args);
      return isArguments && (this.#isSigned || (tool && hasField(tool, args))) ? args : undefined;
    };
    const isPlain = this.#find(name) !== undefined;
    const lines = isPlain ? this.#lines(tool) : {};
    if (lines === undefined || Object.keys(lines).length > 0) return known(lines);
    const start = this.at;
    if (this.next !== "(") this.#takeBetween(tool);
    if (this.next === "(") return tool && this.#function(name, tool);
    if (this.next === "{") {
      this.#isFault = this.#isSigned || (isPlain && this.see(/\{\s*"/y) !== undefined);
      const isOwn = this.take(/\{(?=\s*\w+\s*:\s*(?:<escape>|<\|"\|>))/y) !== undefined;
      const value = isOwn ? this.arguments("}")?.named : this.json();
      // An object behind a name may be anything, and a sentence that goes on behind it only speaks of it.
      const isTold = !this.#isSigned && this.see(/[ \t]+[\p{L}\p{N}]|[,，、；]/uy) !== undefined;
      this.#isFault &&= this.#isSigned || !isRecord(value);
      return isTold ? undefined : known(value);
    }
    const fields = this.next === "<" ? this.#fields(tool) : undefined;
    if (fields !== undefined || tool === undefined) return known(fields);
    const isInput = this.#isSigned && /^\[|action input/i.test(this.text.slice(start, this.at + 1));
    const input = isInput ? /\[?\s*([^\s[\]{}<"'][^[\]{}<"'\n]{0,400})\]?(?=\s|$)/y : undefined;
    const [, text] = (input && this.take(input)) ?? [];
    if (text !== undefined) return place(tool, [text.trim()]);
    const isBare = this.#isSure && this.see(/\s*(?:$|<[/|｜]|\[)/y) !== undefined;
    return isBare ? {} : undefined;
  }

  /** Signs between a name and its arguments. */
  #takeBetween(tool: AnyTool | undefined): void {
    const start = this.at;
    this.repeat(() => {
      const between = this.#isSigned ? signedBetween : plainBetween;
      if (this.take(between) !== undefined || this.#takeFence(tool)) return true;
      if (!this.#isSigned || this.at - start > 200) return false;
      if (this.see(/<\/[^<>\n]{1,60}>\s*$/y) !== undefined) this.isShort = true;
      return this.see(closer) === undefined && this.#takeSign(tool);
    });
  }

  /** Fields below the name, each on its line. Undefined where one cannot be read. */
  #lines(tool: AnyTool | undefined): Fields | undefined {
    const fields = new Map<string, unknown>();
    let isRead = true;
    this.repeat(() => {
      const [whole = "", indent = "", name = ""] = this.see(fieldLine) ?? [];
      if (!mayHave(tool, name) && !fieldName.test(name)) return false;
      this.at += whole.length;
      const value = this.lineValue(indent.length);
      // Lists of fields would lose all but their last.
      isRead = value !== undefined && !fields.has(name);
      const isHolder = argumentKeys.test(name) && !(tool && isField(tool, name));
      const inside = isHolder ? recordOf(value) : undefined;
      const isNone = inside === undefined || Object.keys(inside).length === 0;
      for (const [key, each] of Object.entries(isNone ? { [name]: value } : inside))
        if (each !== "") fields.set(key, each);
      return isRead;
    });
    if (this.see(/\s*$/y) !== undefined) this.isShort = true;
    this.#isFault = !isRead;
    return isRead ? Object.fromEntries(fields) : undefined;
  }

  /** Calls to the end of a block of code; behind an object or a tag there may be anything, among functions nothing else. */
  #fenced(fence: FenceLine): Calls | undefined {
    this.#body = this.at;
    const calls: NamedCall[] = [];
    let [isCode, isWhole] = [false, true];
    this.repeat(() => {
      this.skip();
      this.take(/(?:---\s+)?(?:- )?/y);
      if (this.next === "" || this.see(/`{3}|~{3}/y) !== undefined) return false;
      const start = this.at;
      this.#takeSigns();
      const isFunction = !/[{[<]/.test(this.next);
      const more = this.#one();
      isWhole = more !== undefined;
      if (!isWhole) this.at = start;
      isCode ||= isFunction && isWhole;
      for (const each of more ?? []) calls.push(each);
      // What a call returned may be printed.
      this.takeAll(
        /\s*<(?:\/|[|｜])[^<>\n"]{1,60}>|[ \t]*[)\]},;]|\s*print\(\w{1,60}(?:, ?\w{1,60}){0,9}\)/y,
      );
      return isWhole;
    });
    if (calls.length === 0) return undefined;
    const lines = linesWithEnds(this.text.slice(this.at));
    const end = lines.findIndex((line) => closesFence(line, fence));
    if (end === -1) this.isShort = true;
    this.at += lines.slice(0, end === -1 ? lines.length : end + 1).join("").length;
    if (isWhole || !isCode) return calls;
    this.#isFault = end === -1;
    return undefined;
  }

  #tag(at: number): Tag | undefined {
    const [, begun = ""] = this.see(/<([\w.-]{1,64})\s[^<>]{0,400}$/y, at) ?? [];
    if (this.#find(begun) !== undefined) this.isShort = true;
    const tag = this.openingTag(at);
    if (tag === undefined) return undefined;
    const texts = tag.attributes.map(([, text]) => text);
    const [, naming] = tag.attributes.find(([key]) => /^(?:tool_?)?name$/.test(key)) ?? [];
    const named = tag.value ?? naming;
    const called = [tag.name, named, ...texts].find((each = "") => this.#find(each) !== undefined);
    const calls = called ?? (callTag.test(tag.name) ? named : undefined);
    return { ...tag, calls, says: named ?? texts[0] };
  }

  /** Fields of a call, each in a tag. */
  #fields(tool: AnyTool | undefined): Fields | undefined {
    const fields = new Map<string, string>();
    let field: Tag | undefined;
    this.repeat(() => {
      field = this.#field(this.#behindSpace(this.at), tool, fields.size > 0);
      if (field === undefined) return false;
      const { name, end: start, closing } = field;
      // It ends where another field or the end of the call follows: a text may hold its own closing tag, too.
      let end = this.find(closing, start);
      while (end !== -1 && !this.#endsValue(end + closing.length, tool))
        end = this.find(closing, end + 1);
      if (end === -1) return false;
      this.at = end + closing.length;
      fields.set(name, elementText(this.text.slice(start, end)));
      return true;
    });
    this.#isFault ||= field !== undefined && tool !== undefined;
    return field === undefined && fields.size > 0 ? Object.fromEntries(fields) : undefined;
  }

  /**
   * The field that begins at a place: in a tag that says its name, or has it, or behind a tag with its name.
   *
   * @param isMore another one is before it, so the tool need not have it
   */
  #field(at: number, tool: AnyTool | undefined, isMore = false): Tag | undefined {
    const tag = this.#tag(at);
    if (tag === undefined) return undefined;
    const { says, name, closing, end: start } = tag;
    if (says !== undefined) return name !== "a" ? { ...tag, name: says } : undefined;
    if (tool !== undefined && isField(tool, name)) return tag;
    const end = this.text.slice(start, start + 80).indexOf(closing);
    const key = this.text.slice(start, start + end).trim();
    if (end < 1 || !(/key/i.test(name) || (tool && isField(tool, key))))
      return isMore && fieldName.test(name) ? tag : undefined;
    const holder = this.#tag(this.#behindSpace(start + end + closing.length));
    return holder && { ...holder, name: key };
  }

  #behindSpace(from: number): number {
    const at = from + (this.see(/\s*/y, from)?.[0].length ?? 0);
    if (at >= this.text.length) this.isShort = true;
    return at;
  }

  #endsValue(from: number, tool: AnyTool | undefined): boolean {
    const at = this.#behindSpace(from);
    const isClosed = at >= this.text.length || this.#closings.length === 0 || this.#endsTag(at);
    return (
      isClosed || this.#field(at, tool, true) !== undefined || this.see(/<[|｜]/y, at) !== undefined
    );
  }

  /** Whether a tag ends there that is around what is read. */
  #endsTag(at: number): boolean {
    return this.#closings.some((each) => this.text.startsWith(each, at));
  }

  /**
   * The calls that a value means: a name under one key and the arguments under another, or beside it; the name as the key;
   * or a list of such. Keys may have any names where the arguments have a field of the tool. Undefined for anything else.
   *
   * @param isSure the value can be nothing but a call, so it may name a tool that does not exist
   */
  #callsOf(value: unknown, isSure: boolean, depth = 0): Calls | undefined {
    const read = (inner: unknown): Calls | undefined => this.#callsOf(inner, isSure, depth + 1);
    if (depth > maxDepth) return undefined;
    if (Array.isArray(value)) {
      const calls = value.map(read).filter((each) => each !== undefined);
      return calls.length === value.length && calls.length > 0 ? calls.flat() : undefined;
    }
    if (!isRecord(value) || isPast(value)) return undefined;
    const call = this.#readNamed(value, isSure) ?? this.#readKeyed(value);
    const wrapped = Object.entries(value).find(
      ([key, each]) => wrappers.test(key) && typeof each === "object",
    );
    return call === undefined ? read(wrapped?.[1]) : [call];
  }

  #readNamed(value: Fields, isSure: boolean): NamedCall | undefined {
    const keys = Object.keys(value).filter((each) => typeof value[each] === "string");
    const known = keys.filter((each) => nameKeys.test(each));
    const key =
      known.find((each) => this.#toolbox.find(String(value[each]))) ??
      keys.find((each) => this.#find(String(value[each]))) ??
      known[0];
    if (key === undefined) return undefined;
    const name = String(value[key]);
    const tool = this.#toolbox.find(name);
    const { [key]: _name, ...rest } = value;
    const others = Object.entries(rest);
    const why = Object.fromEntries(others.filter(([each]) => reasons.has(each)));
    const given = others.find(([each]) => argumentKeys.test(each))?.[1];
    // A patch may be in a field of such a name.
    const isText = typeof given === "string" && !/^\s*(?:\{|$)/.test(given);
    const isCalled = given !== undefined && !isText && known.includes(key);
    if (isCalled && (tool !== undefined || isSure || key === "tool")) {
      const args = recordOf(given);
      if (isSchema(args)) return undefined;
      const isOpen = args === undefined && typeof given === "string" && given.trim() !== "";
      return { name, args: isOpen ? given : { ...why, ...args } };
    }
    if (tool === undefined) return undefined;
    const records = [rest, ...others.map(([, each]) => recordOf(each))];
    const args = records.find((each) => hasField(tool, each) && !isSchema(each));
    // Anything may have a name; what says `tool` is a call.
    const isCall =
      args !== undefined || (known.includes(key) && (isSure || key.startsWith("tool")));
    return isCall ? { name, args: { ...why, ...(args ?? rest) } } : undefined;
  }

  /** `{"read_file": {...}}` */
  #readKeyed(value: Fields): NamedCall | undefined {
    const [name = "", ...others] = Object.keys(value).filter((each) => !reasons.has(each));
    const tool = this.#find(name);
    const { [name]: given, ...why } = value;
    const args = recordOf(given);
    const isCall = others.length === 0 && tool && hasField(tool, args);
    return isCall ? { name, args: { ...why, ...args } } : undefined;
  }
}

/** Arguments without names are those that a call cannot be without, in their order. */
function place(tool: AnyTool, values: readonly unknown[]): Record<string, unknown> {
  const names = tool.placed ?? Object.keys(tool.fields).slice(0, 1);
  return Object.fromEntries(names.slice(0, values.length).map((name, nth) => [name, values[nth]]));
}

// What a value means as calls: the one place where names of keys are known.

const wrappers = /^(?:(?:tool|function)_?(?:calls?|uses?)|calls|actions?|function|params)$/i;
const nameKeys =
  /^(?:tool|tool_?name|recipient_name|name|function|function_name|action|command_name)$/i;
const argumentKeys = /^(?:params|parameters|arguments|args|input|action_input|tool_input|kwargs)$/i;
const editKeys = /^(?:input|edits|command|(?:old|new)_?(?:str|string|text|code))$/i;
/** Levels of wrapping. */
const maxDepth = 4;

/** Whether a field that only a call of the tool has is among them: others have reasons, too. */
function hasField(tool: AnyTool, args: Fields = {}): boolean {
  const names = Object.keys(args).filter((name) => isField(tool, name));
  return names.some((name) => !reasons.has(tool.otherFields?.[name] ?? name));
}

/** Also those that tools of other agents have, which are fitted to the tool's own. */
function isField({ fields, otherFields = {}, effect }: AnyTool, name: string): boolean {
  const isOwn = Object.hasOwn(fields, name) || Object.hasOwn(otherFields, name);
  return isOwn || (effect === "write" && (editKeys.test(name) || isEverywhereKey(name)));
}

/** Whether a call of the tool may have a field of this name: its own, a reason, or what holds the others. */
function mayHave(tool: AnyTool | undefined, name: string): boolean {
  return (
    (tool && isField(tool, name)) || argumentKeys.test(name) || reasons.has(name.toLowerCase())
  );
}

/** A result of ours, or a call of the history with what it came to. */
function isPast(value: unknown): boolean {
  const { success, result, timestamp }: Fields = isRecord(value) ? value : {};
  const isResult = typeof success === "boolean" || (isRecord(result) && "success" in result);
  return isResult || typeof timestamp === "string";
}

/** What a tool takes, and no arguments of a call. */
function isSchema(args: Fields = {}): boolean {
  return args["type"] === "object" && isRecord(args["properties"]);
}
