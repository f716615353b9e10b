// What the terminal says. Help is in English, and so is what is wrong with arguments that no command has read.
import type { Locale } from "../base/errors/locale.ts";
import type { AppliedUnit, LineRange } from "../edit.ts";
import { textsFor } from "../flows/texts.ts";
import type { UndoneFile } from "../workspace/directory/journal/undo.node.ts";
import { escapeLine } from "./call/show/escape-controls.ts";
import { showWholeName } from "./call/terminal.ts";
import type { Guard } from "./code/guard.ts";

interface Refusal {
  message: string;
  /** What the code means, for a person; "" for codes that are none of ours. */
  sentence: string;
}

/** What a context receipt lists, each with its title and with what is put between its items. */
type ReceiptLists = readonly (readonly [
  list: "place" | "cut" | "missing" | "unknown" | "dropped",
  title: string,
  separator: string,
])[];

/** Why a server may have opened no socket, by its status; servers often say no more. */
type Hints = Readonly<Record<number, string>>;

const guards: Record<Guard, string> = {
  hidden: "its name or that of a folder above begins with a dot, as settings of tools do",
  installed: "it belongs to code of others that is installed there",
  repository: "its folder looks like the data of a repository, which git runs or reads",
  other: "it is not source code, and other programs may read it as configuration or orders",
  config: "tools run it or read it as configuration",
  check: "the check runs it or reads it",
  test: "the check may run it as a test, or read it for one",
};
const guardsZh: Record<Guard, string> = {
  hidden: "它或其上级文件夹的名称以点开头，工具的设置通常如此",
  installed: "它属于安装在此处的他人代码",
  repository: "它所在的文件夹看起来是仓库的数据，git 会运行或读取它",
  other: "它不是源代码，其他程序可能把它作为配置或指令读取",
  config: "工具会运行它，或把它作为配置读取",
  check: "检查会运行或读取它",
  test: "检查可能把它作为测试运行，或在测试中读取它",
};

/** `line 3`, `lines 3 to 5`, or `before line 3` if the range is empty. */
const linesEn = ({ startLine, endLine }: LineRange): string => {
  if (endLine < startLine) return `before line ${startLine}`;
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
};
const linesZh = ({ startLine, endLine }: LineRange): string => {
  if (endLine < startLine) return `第 ${startLine} 行之前`;
  return startLine === endLine ? `第 ${startLine} 行` : `第 ${startLine} 至 ${endLine} 行`;
};

export interface RunFigures {
  steps: number;
  files: number;
  tokens: number;
}

interface ChatFigures {
  command: string;
  model: string;
  tokens: number;
  /** Of the model's window, in percent. */
  share: number;
}

const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
const plain = (number: number): string => number.toLocaleString("en");

const en = {
  // Of questions to an agent.
  nextByNumber: "Next steps, by their numbers, such as /1:",
  next: "Next steps:",
  ask: "What next?",
  askLong: "What next? Type a part of a name to find it.",
  nothing: "Nothing more",
  tick: "Which ones? Space ticks, Enter sends what is ticked. Nothing ticked: other steps.",
  back: "Back to the list",
  apply: "Apply this change to the file",
  writeTests: "Write these tests to a new file",
  created: (file: string) => `${file} was created.`,
  written: (file: string) => `${file} was written.`,
  lines: linesEn,
  // How a unit was found, and where; lines are those before the edit.
  applied(nth: number, unit: AppliedUnit, isNewFile: boolean): string {
    const { level } = unit;
    if (level === "new-file")
      return `Unit ${nth}: new-file, ${isNewFile ? "creates the file" : "fills the empty file"}`;
    const isWhole = level === "whole-file";
    return `Unit ${nth}: ${level}, ${isWhole ? `replaces the whole file (${linesEn(unit)})` : linesEn(unit)}`;
  },
  changedSince: (file: string) =>
    `${file} has changed since it was sent, so the change was not written. Run the command again for the file as it is now.`,
  notRecorded: "rightseat undo cannot take this back.",
  brokenChange: (file: string) =>
    `The change of ${file} did not arrive as it was sent, so it was not written.`,
  question: "What would you like to know?",
  noQuestion: "Type a question, or press Ctrl-C.",
  stopped: "Stopped.",
  needsQuestion: (command: string) =>
    `${command} needs a question. Give it with --prompt TEXT, or pipe it in.`,
  needsCode: (command: string) =>
    `call ${command} needs code or a question. Name a file, such as call ${command} src/app.ts:10-20, or ask with --prompt TEXT.`,
  linesOfWhat: "--lines needs a file that the lines are in: FILE or --file FILE.",
  twoFiles: (option: string, place: string) =>
    `Two files are named: ${place} and --file ${option}. Name one.`,
  twoRanges: (place: string, lines: string) =>
    `Two places are named: ${place} and --lines ${lines}. Name one.`,
  notOverSocket: (option: string) =>
    `${option} is not for a WebSocket. Leave it out, or name an http address.`,
  noAgent:
    "No agent is configured here. Name one with --agent NAME, or send one with --definition FILE.",
  modelStopped: (reason: string) => `The model stopped early: ${reason}.`,
  // The message says in English what the sentence says to everybody.
  refused: (status: string, { message }: Refusal) =>
    `Refused with ${status}${message === "" ? "" : `: ${message}`}`,
  withRules: (file: string) => `The rules of ${file} go along.`,
  noRules: (file: string) =>
    `The rules of ${file} do not go along: they have to be a text of at most 32 kB in the repository, without secrets.`,
  seeLog: "With RIGHTSEAT_LOG_LEVEL=debug the log is shown here, which says why.",
  receipt: {
    none: "No context receipt came with this answer.",
    unreadable: "The context receipt of this answer is not readable (it may have been too long).",
    head: (command: string, model: string | undefined) =>
      `Context of ${command}${model === undefined ? ", which asks no model" : ` for model ${model}`} (tokens are estimates)`,
    unused: "unused",
    prompt: "prompt",
    of: (budget: number) => `of ${budget}`,
    lists: [
      ["place", "place: ", ", "],
      ["cut", "cut: ", "; "],
      ["missing", "missing: ", ", "],
      ["unknown", "unknown: ", ", "],
      ["dropped", "dropped: ", "; "],
    ] as ReceiptLists,
  },
  // Of a WebSocket.
  closed: (code: number, reason: string) =>
    `The connection ended before the answer was complete (${code}${reason && `: ${reason}`}).`,
  noFrame: "The server sent a message that this protocol does not have. Is --url its address?",
  tooLong: "The answer is longer than 16 MiB, so the rest was not read.",
  queueFull: (length: number) =>
    `The queue is full: ${length} tasks wait already. Try again later.`,
  cancelled: "Another task has taken the place of this one.",
  place: (place: number) => `Number ${place} in the queue.`,
  asked: (question: string) => `The agent asks ${question}`,
  given: (count: number) => (count === 1 ? "1 found" : `${count} found`),
  sent: (length: number) => `${length} characters sent`,
  refusedAnswer: (why: string) => `refused: ${why}`,
  noModel: (name: string) => `The settings here have no model ${name} that could answer.`,
  cases: "For which cases? Space ticks, Enter writes the tests of those that are ticked.",
  noneTicked: "No case is ticked, so no tests are written.",
  noCases: "No cases were recommended, so no tests are written.",
  hints: {
    401: "Give a key that the server knows with --key KEY.",
    429: "This key has too many connections open. Try again when one is closed.",
  } as Hints,
  writtenAnswer: "written",
  writes: (file: string) => `Allowed by --yes: ${file}`,
  asksAlways: (file: string) => `Not written, since nobody could be asked: ${file}`,
  noSocket: "Is --url the address of a WebSocket, such as ws://127.0.0.1:18080/ws?",

  // Of the coding agent. What a model reads of it is in the language of the answer, too.
  needsRequest:
    'code needs a request. Give it in quotes, such as rightseat code "rename total to sum", or pipe it in.',
  needsQuotes: (request: string) =>
    `The request has several parts. Put it in quotes: rightseat code ${request}. A check comes after --, such as -- npm test.`,
  emptyCheck: "Nothing follows --. Name the check, such as -- npm test, or leave -- out.",
  noFolder: (folder: string) => `--dir ${folder} is not a folder.`,
  missingFolder: (folder: string) => `--dir ${folder} does not exist.`,
  unusableFolder: (folder: string, code: string) =>
    `--dir ${folder} cannot be opened (${code}). Is it a folder that you may read?`,
  wholeDisk: (folder: string) =>
    `--dir ${folder} is not a project: the agent would work on the whole disk or on files of the system. Name a folder of your own.`,
  repositoryData: (folder: string) =>
    `${folder} belongs to the data of a git repository, where git runs what it finds. Name the folder with the files of the project.`,
  wholeHome: (folder: string) =>
    `${folder} is your home folder, or holds it: the agent could read all that is in there. Name the folder of a project, or allow it with --force.`,
  noState: (folder: string, code: string) =>
    `The journal for undo cannot be kept in ${folder} (${code}). Make that folder writable, or name another place with XDG_STATE_HOME.`,
  locked: (pid: number) =>
    `Another agent works in this folder (process ${pid}). Wait until it has ended, or stop it.`,
  wrongPattern: (pattern: string) =>
    `--allow ${pattern} cannot be used. Write a pattern over paths in the folder, such as --allow 'src/**'.`,
  settingsIgnored:
    "rightseat.json of this folder is ignored: the folder that an agent works on does not choose its model and limits. Name a file elsewhere with RIGHTSEAT_CONFIG.",
  namedInside: (setting: string, path: string) =>
    `${setting} names ${path}, which the agent could change. Move it out of the folder that it works on.`,
  noSpec: (path: string) => `openSpecList names ${path}, which does not exist.`,
  noTools: (model: string, others: string) =>
    `The model ${model} cannot call tools, so it cannot work on files. Choose another one with --model NAME${others === "" ? "; none is configured here. Set OPENAI_API_KEY, or see docs/models.md" : ` (${others})`}.`,
  otherModel: (model: string, wanted: string) => `Model ${model} answers; ${wanted} was asked for.`,
  notAlong: (path: string, why: string) => `@${path} does not come along: ${why}.`,
  waiting: ({ steps, tokens }: RunFigures) =>
    `Waiting for the model${steps === 0 ? "" : ` (${counted(steps, "step")}, ${counted(tokens, "token")})`}`,
  checking: (command: string) => `Running ${command}`,
  modelSays: (words: string) => `The model's reason, in its own words: ${words}`,
  always: (guard: Guard) => `This file is always asked for: ${guards[guard]}.`,
  change: (path: string) => `Write this change to ${path}?`,
  create: (path: string) => `Create ${path} like this?`,
  remove: (path: string) => `Delete ${path}?`,
  several: (files: number) => `Write these changes to ${files} files?`,
  emptyFile: "(an empty file)",
  yes: "Yes",
  all: "Yes, and to all further changes of source files in this run, except those that are always asked for",
  no: "No",
  noWhy: "No, and tell the model what to do instead",
  instead: "What should it do instead?",
  read: (path: string) => `Send ${path} to the model? It may hold secrets, or git ignores it.`,
  callOf: (tool: string, target: string) => `The tool ${tool} at ${target}, with:`,
  makeCall: "Make this call?",
  runsIn: (folder: string, isClosed: boolean) =>
    `In the folder ${folder}${isClosed ? ", in a sandbox without a network" : ""}`,
  shellLine: "A shell runs all of this line, whatever it calls.",
  runCommand: "Run this command?",
  again: "Yes, and the same command in this folder again until something is written unasked",
  nobodyForCall: "nobody can be asked here, and no option allows it beforehand.",
  beyondUndo: "rightseat undo does not take back what commands did to:",
  yourAnswer: "Your answer?",
  otherAnswer: "Something else: I type it",
  unanswered: "The run ended with this question, since nobody could answer it here:",
  runCheck: "Run this check after the changes?",
  checkIsArguments: "Program and arguments, run without a shell:",
  checkChangedSince: (paths: string) =>
    `These files have changed without anybody being asked, and decide what the check runs: ${paths}.`,
  // To the model.
  declined: "they said no and gave no reason.",
  declinedBecause: (why: string) => `they said: ${JSON.stringify(why)}.`,
  nobodyToAsk:
    "nobody can be asked here, and the run was started without --yes, and without an --allow that covers this file.",
  guarded: (guard: Guard) =>
    `nobody can be asked here, and this file is always asked for: ${guards[guard]}.`,
  secret: "nobody can be asked here, and such files are never read without asking.",
  // Of the check.
  checkDeclined: "you did not want it.",
  checkUnasked: "nobody could be asked. Start with --yes to allow it.",
  checkChanged: (paths: string) =>
    `these files have changed without anybody being asked: ${paths}. Look at them, and run it yourself.`,
  checkNotStarted: (code: string) =>
    code === "ENOENT" ? "there is no such program." : `it could not be started (${code}).`,
  exitCode: (code: number | null, signal: string | null) =>
    code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`,
  tookTooLong: (seconds: number) => `stopped after ${plain(seconds)} s`,
  // At the end.
  summary: ({ steps, files, tokens }: RunFigures) =>
    `${counted(steps, "step")}, ${files === 0 ? "no file changed" : `${counted(files, "file")} changed`}, ${counted(tokens, "token")}.`,
  undo: (command: string) => `To take these changes back: ${command}`,
  notDone: "Not done, since nobody could be asked:",
  allowHint:
    "--yes allows changes of source files, --allow PATTERN those of some paths; other files are always asked for. In a terminal you are asked.",
  stoppedAfter: (files: number) => `Stopped. What was written stays (${counted(files, "file")}).`,

  // Of undo.
  nothingToUndo: "There is nothing to undo in this folder.",
  noTurn: (written: string) =>
    `${escapeLine(written)} is not the number of a turn. See rightseat undo --list.`,
  undone: "(undone)",
  undoDryRun: "Dry run: nothing was written.",
  undoneFile: ({ place, target, isDone }: UndoneFile) =>
    `${isDone ? "As before" : target === undefined ? "Removed" : "Restored"}: ${showWholeName(place.path)}`,
  undoneTurn: (id: number, request: string) => `Turn ${id} was undone: ${request}`,

  // Of a conversation.
  welcome: (version: string, folder: string) => `Rightseat ${version} in ${folder}`,
  howTo:
    "/help lists the commands, @ names a file, Tab completes, Esc stops an answer, Ctrl-D leaves.",
  pasted: (lines: number, nth: number) => `Pasted ${counted(lines, "line")} #${nth}`,
  leaveAgain: "Press Ctrl-C again to leave.",
  status: ({ command, model, tokens, share }: ChatFigures) =>
    `${command} · ${model} · ${counted(tokens, "token")} · ${share} % of the window`,
  answersAlone: (model: string) =>
    `The model ${model} cannot call tools, so questions are answered from the files that you name with @.`,
  unknownAgent: (name: string, known: string) =>
    `There is no agent ${name} here. There are: ${known}.`,
  earlier: (messages: number) => `(${counted(messages, "earlier message")})`,
  cutAnswer: "(stopped)",
  toResume: (id: string) => `To go on with this conversation: rightseat --resume ${id}`,
  cleared: "A new conversation begins.",
  needsPlace: (command: string) =>
    `/${command} needs code or a question: /${command} src/app.ts:10-20, or /${command} and what you ask.`,
  noSuchCommand: (name: string, near: string | undefined) =>
    `There is no command /${name}.${near === undefined ? "" : ` Did you mean /${near}?`} /help lists all of them.`,
  commandsHere: "Of this conversation:",
  commandsOfAgent: (agent: string) => `Of the agent ${agent}, about a file or a question:`,
  keysHere:
    "Alt-Enter, or a \\ at the end, goes on in a new line. Up brings earlier messages back.",
  ownCommands: {
    help: "Lists the commands",
    model: "Chooses the model: /model NAME",
    context: "Shows what the last question was sent with, and how full the window is",
    diff: "Shows what this conversation has changed",
    undo: "Takes back the last change of this conversation",
    clear: "Begins a new conversation; the old one is kept",
    exit: "Leaves",
  },
  acp: {
    noPackage:
      "rightseat acp needs the package @agentclientprotocol/sdk. Install it beside rightseat: npm install @agentclientprotocol/sdk",
    notAbsolute: (cwd: string) => `The folder of a session is an absolute path, not ${cwd}.`,
    noServers: "The MCP servers of the editor are not used here.",
    modes: [
      { id: "code", name: "Code", description: "Works on the project's files; asks for changes" },
      { id: "ask", name: "Ask", description: "Answers, and proposes changes" },
    ],
    always: "Yes, and to all further source files of this session",
    plan: ["Look at the code", "Do what is asked for", "Say what was done"],
    busy: "This session still works on the message before. Wait for its end, or cancel it.",
    empty: "The message has no words.",
    noSound: "Sound is not understood here. Send text.",
    tooLarge: (bytes: number) => `The editor sent a message of more than ${bytes} bytes.`,
    fault: "A fault in rightseat has ended this. Its standard error has the details.",
  },
  whichModel: "Which model?",
  modelNow: (name: string) => `The model is ${name} from now on.`,
  unknownModel: (name: string, known: string) =>
    `There is no model ${name} here. There are: ${known}.`,
  contextNow: (messages: number, named: string | undefined) =>
    `${counted(messages, "message")} go along as far as there is room.${named === undefined ? "" : ` Code at hand: ${named}`}`,
  windowNow: (used: number, window: number) =>
    `The last answer took ${counted(used, "token")} of a window of ${plain(window)}.`,
  noContext: "Nothing was asked yet.",
  nothingChanged: "This conversation has changed nothing that can be taken back.",
  takenBack: (paths: string) =>
    `(The person has taken back the last changes. These files are as they were before them: ${paths})`,
  mayBeSecret: "it may hold secrets; a command takes it, such as /explain FILE",
  noConversations: "There is no conversation yet.",
  noConversationHere: "There is no conversation in this folder yet. Begin one with: rightseat",
  noConversation: (id: string) => `There is no conversation ${id}. See rightseat chat --list.`,
  severalConversations: (id: string) =>
    `Several conversations begin with ${id}. Write more of the id; see rightseat chat --list.`,
  otherFolder: (folder: string) =>
    `That conversation belongs to ${folder}. Go there, and repeat the command.`,
  whichConversation: "Which conversation?",
  deleted: (id: string) => `Conversation ${id} was deleted.`,
  openElsewhere: (id: string) =>
    `Conversation ${id} is open in another program. Leave it there first.`,
  goesOnAsCopy: (id: string, copy: string) =>
    `Conversation ${id} is open in another program. Here it goes on as a copy, ${copy}.`,
  noTerminal:
    'A conversation needs a terminal. Without one, ask one question: rightseat "why does this fail?", or pipe it in. rightseat --help lists the commands.',
  noConversationState: (folder: string, why: string) =>
    `Conversations cannot be kept in ${folder} (${why}). Make that folder writable, or name another place with XDG_STATE_HOME.`,
};

const zh: typeof en = {
  // Of questions to an agent.
  nextByNumber: "接下来（输入编号即可，例如 /1）：",
  next: "接下来可以：",
  ask: "接下来做什么？",
  askLong: "接下来做什么？输入名称的一部分即可查找。",
  nothing: "到此为止",
  tick: "选择哪些？空格键勾选，回车键发送；不勾选则显示其他操作。",
  back: "返回列表",
  apply: "把修改写入文件",
  writeTests: "把这些测试写入新文件",
  created: (file) => `${file} 已创建。`,
  written: (file) => `${file} 已写入。`,
  lines: linesZh,
  applied(nth, unit, isNewFile) {
    if (unit.level === "new-file")
      return `第 ${nth} 处修改：${isNewFile ? "新建文件" : "写入空文件"}`;
    return `第 ${nth} 处修改：${linesZh(unit)}（${textsFor("zh").levels[unit.level]}）`;
  },
  changedSince: (file) =>
    `${file} 在发送之后已更改，因此没有写入修改。请针对现在的文件重新执行该指令。`,
  notRecorded: "rightseat undo 无法撤销这次写入。",
  brokenChange: (file) => `对 ${file} 的修改在传输中受损，因此没有写入。`,
  question: "你想问什么？",
  noQuestion: "请输入问题，或按 Ctrl-C 退出。",
  stopped: "已停止。",
  needsQuestion: (command) => `${command} 需要一个问题。请用 --prompt TEXT 给出，或通过管道输入。`,
  needsCode: (command) =>
    `call ${command} 需要代码或问题。请指定文件，例如 call ${command} src/app.ts:10-20，或用 --prompt TEXT 提问。`,
  linesOfWhat: "--lines 需要同时指明文件：FILE 或 --file FILE。",
  twoFiles: (option, place) => `指定了两个文件：${place} 和 --file ${option}。请只保留一个。`,
  twoRanges: (place, lines) => `指定了两处位置：${place} 和 --lines ${lines}。请只保留一个。`,
  notOverSocket: (option) => `${option} 不适用于 WebSocket。请去掉它，或指定 http 地址。`,
  noAgent: "这里没有配置智能体。请用 --agent NAME 指定，或用 --definition FILE 附上定义。",
  modelStopped: (reason) => `模型提前结束了回答：${reason}。`,
  refused: (status, { message, sentence }) =>
    `请求被拒绝（${status}）${[sentence, message]
      .filter((part) => part !== "")
      .map((part, nth) => `${nth === 0 ? "：" : "\n"}${part}`)
      .join("")}`,
  withRules: (file) => `随请求发送 ${file} 中的规则。`,
  noRules: (file) => `没有发送 ${file} 中的规则：规则须是仓库内不超过 32 kB 的文本，且不含机密。`,
  seeLog: "设置 RIGHTSEAT_LOG_LEVEL=debug 后，日志会显示在这里，其中写有原因。",
  receipt: {
    none: "此回答没有附带上下文回执。",
    unreadable: "无法读取此回答的上下文回执（可能过长）。",
    head: (command, model) =>
      `${command} 的上下文（${model === undefined ? "不调用模型" : `模型 ${model}`}；token 数为估算）`,
    unused: "未使用",
    prompt: "提示词",
    of: (budget) => `上限 ${budget}`,
    lists: [
      ["place", "位置：", "、"],
      ["cut", "截去：", "；"],
      ["missing", "缺少：", "、"],
      ["unknown", "未知：", "、"],
      ["dropped", "丢弃：", "；"],
    ],
  },
  closed: (code, reason) => `回答尚未完成，连接就已断开（${code}${reason && `：${reason}`}）。`,
  noFrame: "服务器发来了此协议中没有的消息。--url 是它的地址吗？",
  tooLong: "回答超过 16 MiB，其余部分没有读取。",
  queueFull: (length) => `队列已满，已有 ${length} 个任务在等待。请稍后再试。`,
  cancelled: "另一个任务取代了此任务。",
  place: (place) => `排在队列第 ${place} 位。`,
  asked: (question) => `智能体询问 ${question}`,
  given: (count) => `找到 ${count} 个`,
  sent: (length) => `已发送 ${length} 个字符`,
  refusedAnswer: (why) => `已拒绝：${why}`,
  noModel: (name) => `这里的设置中没有可以回答的模型 ${name}。`,
  cases: "为哪些用例编写测试？空格键勾选，回车键为勾选的用例编写。",
  noneTicked: "没有勾选用例，因此不编写测试。",
  noCases: "没有推荐用例，因此不编写测试。",
  hints: {
    401: "请用 --key KEY 给出服务器认可的密钥。",
    429: "此密钥打开的连接过多，请在关闭一个之后再试。",
  },
  writtenAnswer: "已写入",
  writes: (file) => `--yes 已允许：${file}`,
  asksAlways: (file) => `因无法询问而未写入：${file}`,
  noSocket: "--url 是 WebSocket 的地址吗？例如 ws://127.0.0.1:18080/ws。",

  // Of the coding agent. What a model reads of it is in the language of the answer, too.
  needsRequest:
    'code 需要一个请求。请用引号给出，例如 rightseat code "把 total 改名为 sum"，或通过管道输入。',
  needsQuotes: (request) =>
    `请求由几个部分组成。请加引号：rightseat code ${request}。检查写在 -- 之后，例如 -- npm test。`,
  emptyCheck: "-- 之后没有内容。请写出检查，例如 -- npm test，或去掉 --。",
  noFolder: (folder) => `--dir ${folder} 不是文件夹。`,
  missingFolder: (folder) => `--dir ${folder} 不存在。`,
  unusableFolder: (folder, code) =>
    `无法打开 --dir ${folder}（${code}）。它是你有权读取的文件夹吗？`,
  wholeDisk: (folder) =>
    `--dir ${folder} 不是项目：智能体会在整个磁盘或系统文件上工作。请指定你自己的文件夹。`,
  repositoryData: (folder) =>
    `${folder} 属于 git 仓库的数据，git 会运行其中的内容。请指定存放项目文件的文件夹。`,
  wholeHome: (folder) =>
    `${folder} 是你的主目录，或包含主目录：智能体可以读取其中的所有内容。请指定项目文件夹，或用 --force 允许。`,
  noState: (folder, code) =>
    `无法在 ${folder} 中保存用于撤销的日志（${code}）。请使该文件夹可写，或用 XDG_STATE_HOME 指定别处。`,
  locked: (pid) => `另一个智能体正在此文件夹中工作（进程 ${pid}）。请等待其结束，或将其停止。`,
  wrongPattern: (pattern) =>
    `--allow ${pattern} 无法使用。请写文件夹内路径的模式，例如 --allow 'src/**'。`,
  settingsIgnored:
    "已忽略此文件夹中的 rightseat.json：智能体所处理的文件夹不能决定其模型和限制。请用 RIGHTSEAT_CONFIG 指定别处的文件。",
  namedInside: (setting, path) =>
    `${setting} 指定的 ${path} 可能被智能体修改。请把它移出智能体所处理的文件夹。`,
  noSpec: (path) => `openSpecList 指定的 ${path} 不存在。`,
  noTools: (model, others) =>
    `模型 ${model} 不能调用工具，因此无法处理文件。请用 --model NAME 选择其他模型${others === "" ? "；这里没有配置其他模型，请设置 OPENAI_API_KEY，或参阅 docs/models.md" : `（${others}）`}。`,
  otherModel: (model, wanted) => `由模型 ${model} 回答；请求的是 ${wanted}。`,
  notAlong: (path, why) => `@${path} 没有随请求发送：${why}。`,
  waiting: ({ steps, tokens }) =>
    `正在等待模型${steps === 0 ? "" : `（${plain(steps)} 步，${plain(tokens)} 个 token）`}`,
  checking: (command) => `正在运行 ${command}`,
  modelSays: (words) => `模型自己给出的理由：${words}`,
  always: (guard) => `修改此文件前始终需要询问：${guardsZh[guard]}。`,
  change: (path) => `把这项修改写入 ${path} 吗？`,
  create: (path) => `这样创建 ${path} 吗？`,
  remove: (path) => `删除 ${path} 吗？`,
  several: (files) => `把这些修改写入 ${files} 个文件吗？`,
  emptyFile: "（空文件）",
  yes: "是",
  all: "是，并同意本次运行中对源代码文件的所有后续修改（始终需要询问的文件除外）",
  no: "否",
  noWhy: "否，并告诉模型应该怎么做",
  instead: "应该怎么做？",
  read: (path) => `把 ${path} 发送给模型吗？它可能包含机密，或被 git 忽略。`,
  callOf: (tool, target) => `工具 ${tool}，目标 ${target}，参数：`,
  makeCall: "执行此调用吗？",
  runsIn: (folder, isClosed) => `所在文件夹：${folder}${isClosed ? "（在沙箱中，无网络）" : ""}`,
  shellLine: "整行由 shell 执行，其中调用的一切都会运行。",
  runCommand: "运行此命令吗？",
  again: "是，并允许在此文件夹中再次运行同一命令，直到有未经询问的写入",
  nobodyForCall: "此处无法询问用户，也没有可以事先允许的选项。",
  beyondUndo: "rightseat undo 无法撤销命令对以下内容的修改：",
  yourAnswer: "你的回答？",
  otherAnswer: "其他：自行输入",
  unanswered: "运行以这个问题结束，因为此处无人可以回答：",
  runCheck: "修改后运行此检查吗？",
  checkIsArguments: "程序及其参数（不经过 shell 运行）：",
  checkChangedSince: (paths) => `以下文件未经询问就发生了变化，而它们决定检查运行什么：${paths}。`,
  declined: "用户拒绝，没有说明理由。",
  declinedBecause: (why) => `用户说：${JSON.stringify(why)}。`,
  nobodyToAsk: "这里无法询问用户，运行时也没有使用 --yes 或涵盖此文件的 --allow。",
  guarded: (guard) => `这里无法询问用户，而修改此文件前总要询问：${guardsZh[guard]}。`,
  secret: "这里无法询问用户，而此类文件未经询问不会读取。",
  checkDeclined: "你不希望运行。",
  checkUnasked: "无法询问。请用 --yes 允许运行。",
  checkChanged: (paths) => `以下文件未经询问就发生了变化：${paths}。请查看后自行运行。`,
  checkNotStarted: (code) => (code === "ENOENT" ? "没有这个程序。" : `无法启动（${code}）。`),
  exitCode: (code, signal) => (code === null ? `被 ${signal ?? "信号"} 终止` : `退出码 ${code}`),
  tookTooLong: (seconds) => `${plain(seconds)} 秒后停止`,
  summary: ({ steps, files, tokens }) =>
    `${plain(steps)} 步，${files === 0 ? "没有修改文件" : `修改了 ${plain(files)} 个文件`}，${plain(tokens)} 个 token。`,
  undo: (command) => `撤销这些修改：${command}`,
  notDone: "以下操作因无法询问而未执行：",
  allowHint:
    "--yes 允许修改源代码文件，--allow PATTERN 只允许其中部分路径；其他文件始终需要询问。在终端中会逐一询问。",
  stoppedAfter: (files) => `已停止。已写入的内容保留（${plain(files)} 个文件）。`,

  // Of undo.
  nothingToUndo: "此文件夹中没有可撤销的内容。",
  noTurn: (written) => `${escapeLine(written)} 不是运行的编号。请查看 rightseat undo --list。`,
  undone: "（已撤销）",
  undoDryRun: "试运行：未写入任何内容。",
  undoneFile: ({ place, target, isDone }) =>
    `${isDone ? "无需改动" : target === undefined ? "已删除" : "已恢复"}：${showWholeName(place.path)}`,
  undoneTurn: (id, request) => `已撤销第 ${id} 次运行：${request}`,

  // Of a conversation.
  welcome: (version, folder) => `Rightseat ${version}，位于 ${folder}`,
  howTo: "/help 列出指令，@ 指定文件，Tab 键补全，Esc 停止回答，Ctrl-D 退出。",
  pasted: (lines, nth) => `粘贴的 ${plain(lines)} 行 #${nth}`,
  leaveAgain: "再按一次 Ctrl-C 退出。",
  status: ({ command, model, tokens, share }) =>
    `${command} · ${model} · ${plain(tokens)} 个 token · 窗口已用 ${share}%`,
  answersAlone: (model) => `模型 ${model} 不能调用工具，因此只根据你用 @ 指定的文件回答问题。`,
  unknownAgent: (name, known) => `这里没有智能体 ${name}。现有：${known}。`,
  earlier: (messages) => `（更早的 ${plain(messages)} 条消息）`,
  cutAnswer: "（已停止）",
  toResume: (id) => `继续这次对话：rightseat --resume ${id}`,
  cleared: "新的对话开始了。",
  needsPlace: (command) =>
    `/${command} 需要代码或问题，例如 /${command} src/app.ts:10-20，或在 /${command} 之后写出问题。`,
  noSuchCommand: (name, near) =>
    `没有指令 /${name}。${near === undefined ? "" : `你是指 /${near} 吗？`}/help 列出所有指令。`,
  commandsHere: "对话的指令：",
  commandsOfAgent: (agent) => `智能体 ${agent} 的指令，后面写文件或问题：`,
  keysHere: "按 Alt-Enter 或在行尾加 \\ 可换行，向上键找回以前的消息。",
  ownCommands: {
    help: "列出指令",
    model: "选择模型：/model NAME",
    context: "显示上一个问题附带了什么，以及窗口已用多少",
    diff: "显示这次对话修改了什么",
    undo: "撤销这次对话的上一次修改",
    clear: "开始新的对话；原来的会保留",
    exit: "退出",
  },
  acp: {
    noPackage:
      "rightseat acp 需要 @agentclientprotocol/sdk 包。请与 rightseat 一同安装：npm install @agentclientprotocol/sdk",
    notAbsolute: (cwd) => `会话的文件夹必须是绝对路径，而不是 ${cwd}。`,
    noServers: "这里不使用编辑器的 MCP 服务器。",
    modes: [
      { id: "code", name: "编码", description: "处理项目中的文件；修改前会询问" },
      { id: "ask", name: "问答", description: "回答问题，并提出修改建议" },
    ],
    always: "是，并同意本次会话中对源代码文件的所有后续修改",
    plan: ["查看代码", "完成请求", "说明结果"],
    busy: "此会话仍在处理上一条消息。请等待其结束，或取消它。",
    empty: "消息中没有文字。",
    noSound: "这里无法理解声音。请发送文字。",
    tooLarge: (bytes) => `编辑器发送的消息超过 ${bytes} 字节。`,
    fault: "rightseat 内部出错，操作已中止。详情见其标准错误输出。",
  },
  whichModel: "选择哪个模型？",
  modelNow: (name) => `从现在起使用模型 ${name}。`,
  unknownModel: (name, known) => `这里没有模型 ${name}。现有：${known}。`,
  contextNow: (messages, named) =>
    `在空间允许的范围内附带 ${plain(messages)} 条消息。${named === undefined ? "" : `当前代码：${named}`}`,
  windowNow: (used, window) =>
    `上一个回答用了 ${plain(used)} 个 token，窗口共 ${plain(window)} 个。`,
  noContext: "还没有提过问题。",
  nothingChanged: "这次对话没有可撤销的修改。",
  takenBack: (paths) => `（用户撤销了上一次修改。这些文件已恢复原样：${paths}）`,
  mayBeSecret: "它可能包含机密；可以在指令中指明，例如 /explain FILE",
  noConversations: "还没有对话。",
  noConversationHere: "此文件夹中还没有对话。输入 rightseat 开始一次对话。",
  noConversation: (id) => `没有对话 ${id}。请查看 rightseat chat --list。`,
  severalConversations: (id) =>
    `有多个对话以 ${id} 开头。请写出更多字符，参见 rightseat chat --list。`,
  otherFolder: (folder) => `那次对话属于 ${folder}。请到那里重新执行。`,
  whichConversation: "选择哪次对话？",
  deleted: (id) => `已删除对话 ${id}。`,
  openElsewhere: (id) => `对话 ${id} 正在另一个程序中打开，请先在那里退出。`,
  goesOnAsCopy: (id, copy) => `对话 ${id} 正在另一个程序中打开，这里以副本 ${copy} 继续。`,
  noTerminal:
    '对话需要终端。没有终端时可以只提一个问题：rightseat "为什么会失败？"，或通过管道输入。rightseat --help 列出命令。',
  noConversationState: (folder, why) =>
    `无法在 ${folder} 中保存对话（${why}）。请使该文件夹可写，或用 XDG_STATE_HOME 指定别处。`,
};

const texts: Readonly<Record<Locale, typeof en>> = { en, zh };

export type CliTexts = typeof en & { locale: Locale };

export function cliTexts(locale: Locale): CliTexts {
  return { locale, ...texts[locale] };
}
