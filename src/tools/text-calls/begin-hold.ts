import { pathOfInfo, pathOfLine } from "../../edit/read/dress/path-in-text.ts";
import { beginsJson } from "../../edit/read/forms/json-edits.ts";
import type { Toolbox } from "../tool.ts";
import { FenceHold, beginsFence, endOfFence } from "./holds/fence-hold.ts";
import { FunctionHold, afterLabel, readHead } from "./holds/function-hold.ts";
import type { Held, Hold } from "./holds/hold.ts";
import { JsonHold, maxHeld } from "./holds/json-hold.ts";
import { beginTag } from "./holds/tag-hold.ts";
import { mayFollow } from "./read-markup.ts";
import { readBody } from "./read-body.ts";
import { ReadBudget } from "./read-budget.ts";
import { callsOf } from "./named-calls.ts";
import { readYaml } from "./read-yaml.ts";

/** What announces an example, or the text of something, at the end of a line with a colon. */
const example =
  /\b(?:for example|e\.g\.|for instance|(?:an|this|the following) example|looks? like(?: this)?|like (?:so|this)|contains|(?:content|contents) of|observation)(?![\w./-])|例如|比如|举例|示例如下|格式如下|形如|的内容|观察结果/i;
/** A code block that says that it is what came of a call. */
const shownOutput =
  /^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:tool_)?(?:outputs?|results?|responses?|observation)$/i;
/** Files that hold data or prose: their text may look like a call. */
const dataFile = /\.(?:jsonc?|ya?ml|md|mdx|markdown|txt|xml|html?|toml)$/i;

/**
 * Takes the lines from this one on if a call may begin with it.
 *
 * @param above the last line of text before it
 */
export function pickHold(line: string, above: string, toolbox: Toolbox): Hold | undefined {
  const isFence = beginsFence(line);
  if (isAnnounced(above)) return isFence ? wholeFence(line, "quote") : beginTag(line, toolbox);
  if (isFence && shownOutput.test(line.trimEnd())) return wholeFence(line, "quote");
  if (isFence)
    return isFileText(line, above) ? wholeFence(line, "text") : new FenceHold(line, toolbox);
  const tagged = beginTag(line, toolbox);
  if (tagged !== undefined) return tagged;
  if (beginsJson(line)) return new JsonHold(toolbox);
  const head = readHead(line, toolbox);
  if (head !== undefined) return new FunctionHold(head, toolbox);
  return beginAction(line, toolbox) ?? beginYaml(line, toolbox) ?? beginToken(line);
}

const token =
  /^ {0,3}(?:(?:(?:<\|\w{1,40}\|>){1,3}|\[TOOL_CALLS\])[ \t]*(?=[[{])|<\/(?:tool_calls?|function_calls?|tool_code)>$)/;

/** Signs of a model's own that stand in front of a call, and the end of a tag that is not open. */
function beginToken(line: string): Hold | undefined {
  const bare = line.trimEnd();
  const found = token.exec(bare)?.[0];
  if (found === undefined) return undefined;
  const held: Held = { kind: "calls", calls: [], lines: 1, rest: bare.slice(found.length) };
  return { take: () => held, end: () => held };
}

function isAnnounced(above: string): boolean {
  return /[:：][*_`]{0,4}$/.test(above.trimEnd()) && example.test(above);
}

/** A code block under the path of a file with data is the text of that file. */
function isFileText(line: string, above: string): boolean {
  const info = line.trim().replace(/^[`~]+/, "");
  const path = pathOfInfo(info) ?? pathOfLine(above);
  return path !== undefined && dataFile.test(path);
}

/** A code block that is a quotation, or text, to its end. */
function wholeFence(first: string, kind: "quote" | "text"): Hold {
  const held: Held = { kind, lines: 1, until: endOfFence(first) };
  return { take: () => held, end: () => held };
}

/** The beginning of a line may yet become that of a call, or of something quoted. */
export function mayBeginCall(start: string): boolean {
  const bare = afterLabel(start.slice(0, 400));
  if (bare === undefined) return true;
  const text = bare.trimStart();
  return (
    text === "" ||
    /^[<{[`~]/.test(text) ||
    /^tool(?:_name)?:/.test(text) ||
    /^\*{0,2}Action(?: Input)?\*{0,2}[ \t]*[:：]/.test(text) ||
    /^(?:print\()?(?:await {0,8})?[\w.]{0,200}(?:\(|$)/.test(text)
  );
}

const inlineTags = ["<tool_call>", "<function_calls>", "<tool_calls>"];
/** In characters: so far a line is looked through for tags. */
const maxInline = 2_000;

/**
 * Where a tag around a call stands behind words on one line: what is in quotes, or only spoken of, is none.
 *
 * @param from what comes before was looked through
 * @param isOpen the line goes on: a tag may just have begun
 */
export function findInlineTag(line: string, from: number, isOpen: boolean): number | undefined {
  if (line.length > maxInline || /^[ \t]*>/.test(line)) return undefined;
  for (let at = line.indexOf("<", from); at !== -1; at = line.indexOf("<", at + 1)) {
    const text = line.slice(at);
    const tag = inlineTags.find((each) => text.startsWith(each));
    if (tag === undefined) {
      if (isOpen && inlineTags.some((each) => each.startsWith(text))) return at;
      continue;
    }
    if (mayFollow(text.slice(tag.length)) && !isQuoted(line.slice(0, at))) return at;
  }
  return undefined;
}

function isQuoted(before: string): boolean {
  return before.split("`").length % 2 === 0 || /["'“‘「（(]$/.test(before);
}

const action = /^ {0,3}\*{0,2}Action\*{0,2}[ \t]*[:：]\*{0,2}[ \t]*`?([\w.]{1,64})`?$/;
const input = /^ {0,3}\*{0,2}Action Input\*{0,2}[ \t]*[:：]\*{0,2}[ \t]*/;

/** Takes `Action: NAME` with `Action Input: {...}` below it, if they begin with the line. */
function beginAction(line: string, toolbox: Toolbox): Hold | undefined {
  const [, name] = action.exec(line.slice(0, 200).trimEnd()) ?? [];
  return name !== undefined && toolbox.find(name) !== undefined
    ? new ActionHold(name, toolbox)
    : undefined;
}

class ActionHold implements Hold {
  readonly #name: string;
  readonly #toolbox: Toolbox;
  readonly #json: string[] = [];
  #inner: JsonHold | undefined;
  #count = 0;

  constructor(name: string, toolbox: Toolbox) {
    this.#name = name;
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    this.#count += 1;
    if (this.#count === 1 || (this.#inner === undefined && line.trim() === "")) return undefined;
    if (this.#inner !== undefined) return this.#takeJson(line);
    const mark = input.exec(line)?.[0];
    const rest = mark === undefined ? "" : line.slice(mark.length);
    if (mark === undefined || (rest.trim() !== "" && !rest.startsWith("{")))
      return { kind: "text", lines: this.#count - 1 };
    this.#inner = new JsonHold(this.#toolbox);
    return this.#takeJson(rest);
  }

  end(): Held {
    return { kind: "text", lines: this.#count };
  }

  #takeJson(line: string): Held | undefined {
    if (this.#json.length === 0 && line.trim() === "") return undefined;
    this.#json.push(line);
    if (this.#inner?.take(line) === undefined) return undefined;
    const calls = readBody(
      `${this.#name}\n${this.#json.join("\n")}`,
      this.#toolbox,
      new ReadBudget(),
    );
    return calls === undefined
      ? { kind: "fault", lines: this.#count }
      : { kind: "calls", calls, lines: this.#count };
  }
}

const start = /^tool(?:_name)?:[ \t]+["']?([\w.]{1,64})["']?$/;
const field =
  /^(?:reason|explanation|params|parameters|arguments|args|input|[a-z]+_[a-z_]+):(?:[ \t]|$)/;

/** Takes a call in YAML without a fence, if one begins with the line. */
function beginYaml(line: string, toolbox: Toolbox): Hold | undefined {
  const [, name] = start.exec(line.slice(0, 200).trimEnd()) ?? [];
  return name !== undefined && toolbox.find(name) !== undefined ? new YamlHold(toolbox) : undefined;
}

/** Goes on to the first line that is neither indented nor a field of a call. */
class YamlHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    const isPart =
      this.#lines.length === 0 || /^(?:[ \t]|$)/.test(line) || field.test(line.slice(0, 100));
    this.#length += line.length;
    if (!isPart || this.#length > maxHeld) return this.#read();
    this.#lines.push(line);
    return undefined;
  }

  end(isStopped: boolean): Held {
    return isStopped ? this.#read() : { kind: "quote", lines: this.#lines.length };
  }

  #read(): Held {
    const calls = callsOf(readYaml(this.#lines), this.#toolbox, false);
    const last = this.#lines.findLastIndex((line) => line.trim() !== "") + 1;
    return calls === undefined
      ? { kind: "text", lines: this.#lines.length }
      : { kind: "calls", calls, lines: last };
  }
}
