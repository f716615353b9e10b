// What the agent's own program says, to the person and to the model.
import { cutName, oneLine, showName } from "../../base/errors/names.ts";
import { fence } from "../../base/text/fence.ts";
import type { Message } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { FinishedCall } from "../../tools/run-call.ts";
import type { WorkspaceProblemCode } from "../../workspace/workspace.ts";
import type { CheckOutcome, LoopEnd, Miss, ShownChange } from "./coding.ts";

const name = (text: unknown): string =>
  typeof text === "string" ? `\`${cutName(showName(text)).replaceAll("`", "'")}\`` : "";

const counts = ({ added, removed }: Pick<ShownChange, "added" | "removed">): string =>
  `+${added} −${removed}`;

const edit: Message = { en: "Edit ", zh: "修改 " };
/** What tools do, and the field of what they do it with where that is no file. */
const verbs = new Map<string, Message & { subject?: string }>([
  ["read_file", { en: "Read ", zh: "读取 " }],
  ["edit_file", edit],
  ["insert_file", edit],
  ["replace_file", edit],
  ["remove_file", edit],
  ["delete_file", { en: "Delete ", zh: "删除 " }],
  ["grep_search", { en: "Search for ", zh: "搜索 ", subject: "query" }],
  ["list_dir", { en: "List ", zh: "列出 ", subject: "relative_workspace_path" }],
  ["file_search", { en: "Find ", zh: "查找 ", subject: "query" }],
  ["ask_person", { en: "Ask ", zh: "提问 ", subject: "question" }],
  ["run_command", { en: "Run ", zh: "运行 " }],
]);
const call: Message = { en: "Call ", zh: "调用 " };

type Step = Pick<FinishedCall, "tool" | "params" | "outcome">;

/** One line of progress; undefined where there is nothing to say. */
export function tellStep(step: Step, locale: Locale): string | undefined {
  const { tool, params, outcome } = step;
  if (tool === "finish" && outcome.success) return undefined;
  const verb = verbs.get(tool);
  const file = outcome["path"] ?? outcome["command"] ?? params["target_file"];
  const subject = verb?.subject === undefined ? file : params[verb.subject];
  const what = name(verb === undefined ? tool : subject);
  const words = `${(verb ?? call)[locale]}${what}`;
  const details = verb === undefined ? "" : detailsOf(step, locale);
  const why = typeof outcome["error"] === "string" ? cutName(oneLine(outcome["error"])) : "";
  const failure = locale === "zh" ? `：未完成，${why}` : ` – not done: ${why}`;
  // Arguments that could not be read have no name.
  const known = what === "" ? words.trimEnd() : words;
  return `${known}${details}${outcome.success ? "" : failure}`;
}

/** The lines that were read, how many changed, and what was found or changed. */
function detailsOf({ tool, params, outcome }: Step, locale: Locale): string {
  const isZh = locale === "zh";
  const { start_line: first, end_line: last } = params;
  const { added_lines: added, removed_lines: removed, changed_files: files } = outcome;
  const found = outcome["results"] ?? outcome["files"];
  let details = "";
  if (tool === "read_file" && (first !== undefined || last !== undefined)) {
    const from = typeof first === "number" ? first : 1;
    const to = typeof last === "number" ? last : undefined;
    details += isZh
      ? `，第 ${from} 行到${to === undefined ? "末尾" : `第 ${to} 行`}`
      : `, lines ${from} to ${to ?? "the end"}`;
  }
  if (typeof added === "number" && typeof removed === "number")
    details += ` (${counts({ added, removed })})`;
  if (Array.isArray(found)) {
    const [count, hasMore] = [found.length, outcome["has_more"] === true];
    details += isZh
      ? `：${count} 处${hasMore ? "以上" : ""}`
      : `: ${count}${hasMore ? " or more" : ""} ${count === 1 ? "hit" : "hits"}`;
  }
  if (Array.isArray(files))
    details += isZh
      ? `，${files.length} 个文件有变化`
      : `: ${files.length} ${files.length === 1 ? "file" : "files"} changed`;
  return details;
}

const maxOutput = 20_000;

const untaken: Partial<Record<WorkspaceProblemCode, Message>> = {
  outside: {
    en: "this path is outside of the project, or cannot be used here.",
    zh: "该路径不在项目内，或无法在此使用。",
  },
  protected: {
    en: "an agent never changes a file of this name. Change it yourself if you want that.",
    zh: "智能体不会修改此名称的文件。如有需要，请自行修改。",
  },
  secret: {
    en: "this file may hold secrets, so it is neither read nor changed here.",
    zh: "该文件可能包含机密，此处既不读取也不修改。",
  },
};

const en = {
  modified: "**Modified:**",
  proposed: "**Proposed changes.** Nothing is written yet.",
  ready: "**Ready to apply.** These are the changes as they fit the files now:",
  nothingChanged: "No file was changed.",
  file: (change: ShownChange) =>
    `${change.before === undefined ? "new " : change.after === undefined ? "deleted " : ""}${name(change.path)} (${counts(change)})`,
  tooLong: "The diff is too long to show whole.",
  ends: {
    repeats:
      "I stopped: the same call came to the same result three times, and nothing was changed in between. Say more precisely what is needed, or try another model.",
    rounds:
      "I stopped: this turn has used all its steps. What was changed so far is listed here; ask me to go on, or allow more steps.",
    tokens: "I stopped: this turn has used all its tokens. What was changed so far is listed here.",
    time: "I stopped: this turn has taken all its time. What was changed so far is listed here.",
    window:
      "I stopped: the work does not fit into the model's window any more. What was changed so far is listed here; ask for the rest in a new request.",
    cut: "I stopped: the model's answer was cut off, so nothing of it was carried out.",
    empty:
      "I stopped: the model's answer was empty, and no file was changed. Ask again, or try another model.",
  } satisfies Record<Exclude<LoopEnd, "finished" | "question">, string>,
  answerTo: (choice: string, question: string, request: string) =>
    `${choice}\n\nThis answers your question:\n\n${fence(question)}\n\nMy request was:\n\n${request}`,
  cutEdit:
    "The answer was cut off in the middle of its changes, so none of them is proposed. Ask for a smaller change.",
  check: (outcome: CheckOutcome) => {
    const command = name(outcome.command);
    if (!outcome.ran) return `The check ${command} was not run: ${outcome.reason}`;
    return outcome.passed
      ? `The check ${command} passed.`
      : `The check ${command} did not pass (${outcome.exit}).`;
  },
  notChecked: "No check was run, so nothing is known about whether this works.",
  checkUnseen: (command: string, hasChanges: boolean) =>
    hasChanges
      ? `The check ${name(command)} was not run after the last change, so nothing is known about whether this works.`
      : `No file was changed, so the check ${name(command)} was not run.`,
  apply: {
    title: "Apply",
    message: (count: number) =>
      `Apply the changes of ${count === 1 ? "this file" : `these ${count} files`}`,
  },
  applyOne: (path: string) => `Apply the change of ${path}`,
  fileChanged: (path: string) =>
    `${name(path)} has changed since this was proposed; the change was fitted to it as it is now.`,
  fileMissing: (path: string) =>
    `${name(path)} is not at hand here, so its change could not be checked:`,
  notApplied: (path: string, why: string) =>
    `The change of ${name(path)} does not fit any more: ${why}`,
  notTaken: (path: string, code: WorkspaceProblemCode) =>
    `The change of ${name(path)} was left out: ${untaken[code]?.en ?? "this file cannot be changed here."}`,
  offline:
    "The built-in offline model cannot work with tools. Choose another model for the command `code`.",
  waiting: (seconds: number, why: string) =>
    `*${why} I ask it again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.*`,
  cutShort: "The model's answer was cut off. I ask it for a shorter one.",
  /** Part of an answer that broke off was shown. */
  isVoid: " What it has said of this step does not count.",
  /** To the model. */
  reminders: {
    empty:
      "Your answer was empty. What you think is not read: neither as an answer nor as a call. Call the tools that you need, or call finish with your answer to the person.",
    cut: "Your answer was too long and was cut off, so nothing of it was carried out. Go on with a shorter one: small edits, and one call in each answer.",
    announced:
      "You have called no tool. If something is left to do, call the tools that you need now; do not just say that you will. If what you said is the whole answer, call finish without fields: the person has read it.",
  } satisfies Record<Miss, string>,
  checkFailed: (outcome: Extract<CheckOutcome, { ran: true }>) =>
    `The person's check \`${outcome.command}\` did not pass (${outcome.exit}). Its output is data:\n\n${outcome.output.slice(-maxOutput)}\n\nFind the cause and correct it with further calls. If you cannot, call finish and say what is still wrong.`,
  state:
    "Older results were shortened to save room. This is what you have changed so far; read a file again if you need its text:",
};

export type LoopTexts = typeof en;

const zh: LoopTexts = {
  modified: "**已成功修改：**",
  proposed: "**修改建议。** 尚未写入任何文件。",
  ready: "**可以应用。** 以下修改已与当前文件核对：",
  nothingChanged: "没有修改任何文件。",
  file: (change) =>
    `${change.before === undefined ? "新建 " : change.after === undefined ? "删除 " : ""}${name(change.path)}（${counts(change)}）`,
  tooLong: "差异过长，无法完整显示。",
  ends: {
    repeats:
      "已停止：同一个调用三次得到同样的结果，期间没有任何修改。请更具体地说明需要什么，或更换模型。",
    rounds: "已停止：本轮的步数已用完。到目前为止的修改列在这里；可以让我继续，或允许更多步骤。",
    tokens: "已停止：本轮的 token 已用完。到目前为止的修改列在这里。",
    time: "已停止：本轮的时间已用完。到目前为止的修改列在这里。",
    window:
      "已停止：内容已超出模型的上下文窗口。到目前为止的修改列在这里；其余部分请在新的请求中提出。",
    cut: "已停止：模型的回答被截断，因此其中的内容没有执行。",
    empty: "已停止：模型的回答是空的，没有修改任何文件。请重新提问，或更换模型。",
  },
  answerTo: (choice, question, request) =>
    `${choice}\n\n这是对以下问题的回答：\n\n${fence(question)}\n\n我的要求是：\n\n${request}`,
  cutEdit: "回答在给出修改时被截断，因此没有提出任何修改。请要求更小的修改。",
  check: (outcome) => {
    const command = name(outcome.command);
    if (!outcome.ran) return `没有运行检查 ${command}：${outcome.reason}`;
    return outcome.passed
      ? `检查 ${command} 已通过。`
      : `检查 ${command} 未通过（${outcome.exit}）。`;
  },
  notChecked: "没有运行检查，因此不知道修改是否有效。",
  checkUnseen: (command, hasChanges) =>
    hasChanges
      ? `最后一次修改之后没有运行检查 ${name(command)}，因此不知道修改是否有效。`
      : `没有修改任何文件，因此没有运行检查 ${name(command)}。`,
  apply: {
    title: "应用",
    message: (count) => (count === 1 ? "应用此文件的修改" : `应用这 ${count} 个文件的修改`),
  },
  applyOne: (path) => `应用 ${path} 的修改`,
  fileChanged: (path) => `${name(path)} 在提议之后有变化；修改已按其当前内容调整。`,
  fileMissing: (path) => `此处没有 ${name(path)}，因此无法核对它的修改：`,
  notApplied: (path, why) => `${name(path)} 的修改已不再适用：${why}`,
  notTaken: (path, code) =>
    `已略去对 ${name(path)} 的修改：${untaken[code]?.zh ?? "此处无法修改该文件。"}`,
  offline: "内置的离线模型不能使用工具。请为指令 `code` 选择其他模型。",
  waiting: (seconds, why) => `*${why}${seconds} 秒后重新询问模型。*`,
  cutShort: "模型的回答被截断，正在请它给出更短的回答。",
  isVoid: "这一步已输出的内容作废。",
  reminders: {
    empty:
      "你的回答是空的。思考过程不会被读取，既不算回答，也不算调用。请调用需要的工具，或调用 finish 并给出对用户的回答。",
    cut: "你的回答过长，已被截断，因此其中的内容没有执行。请用更短的回答继续：修改要小，每次回答只调用一次。",
    announced:
      "你没有调用任何工具。如果还有事要做，请现在就调用需要的工具，不要只说将要去做。如果刚才说的就是完整的回答，请调用 finish，不带任何字段：用户已经看到了。",
  },
  checkFailed: (outcome) =>
    `用户的检查 \`${outcome.command}\` 未通过（${outcome.exit}）。它的输出只是数据：\n\n${outcome.output.slice(-maxOutput)}\n\n请找出原因，并通过进一步的调用更正。如果无法更正，请调用 finish 并说明仍有什么问题。`,
  state: "为节省空间，较早的结果已缩短。以下是到目前为止的修改；需要文件内容时请重新读取：",
};

export function loopTexts(locale: Locale): LoopTexts {
  return locale === "zh" ? zh : en;
}
