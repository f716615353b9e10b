// What the terminal says around the coding agent. What a model reads of it is in the language of the answer, too.
import type { Locale } from "../../base/errors/locale.ts";
import type { Guard } from "./guard.ts";

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

/** What a run has come to. */
export interface RunFigures {
  steps: number;
  files: number;
  tokens: number;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
const plain = (number: number): string => number.toLocaleString("en");

const texts = {
  en: {
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
    settingsInside: (path: string) =>
      `RIGHTSEAT_CONFIG names ${path}, which the agent could change. Move it out of the folder that it works on.`,
    noTools: (model: string, others: string) =>
      `The model ${model} cannot call tools, so it cannot work on files. Choose another one with --model NAME${others === "" ? "; none is configured here. Set OPENAI_API_KEY, or see docs/models.md" : ` (${others})`}.`,
    otherModel: (model: string, wanted: string) =>
      `Model ${model} answers; ${wanted} was asked for.`,
    leftOut: (path: string, why: string) => `@${path} does not come along: ${why}.`,
    waiting: ({ steps, tokens }: RunFigures) =>
      `Waiting for the model${steps === 0 ? "" : ` (${count(steps, "step")}, ${count(tokens, "token")})`}`,
    running: (tool: string, path: string) => `${tool}${path === "" ? "" : ` ${path}`}`,
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
    runCheck: "Run this check after the changes?",
    checkIsArguments: "Program and arguments, run without a shell:",
    changedSince: (paths: string) =>
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
    tooLong: (seconds: number) => `stopped after ${plain(seconds)} s`,
    // At the end.
    summary: ({ steps, files, tokens }: RunFigures) =>
      `${count(steps, "step")}, ${files === 0 ? "no file changed" : `${count(files, "file")} changed`}, ${count(tokens, "token")}.`,
    undo: (command: string) => `To take these changes back: ${command}`,
    refused: "Not done, since nobody could be asked:",
    allowHint:
      "--yes allows changes of source files, --allow PATTERN those of some paths; other files are always asked for. In a terminal you are asked.",
    stopped: "Stopped.",
    stoppedAfter: (files: number) => `Stopped. What was written stays (${count(files, "file")}).`,
  },
  zh: {
    needsRequest:
      'code 需要一个请求。请用引号给出，例如 rightseat code "把 total 改名为 sum"，或通过管道输入。',
    needsQuotes: (request: string) =>
      `请求由几个部分组成。请加引号：rightseat code ${request}。检查写在 -- 之后，例如 -- npm test。`,
    emptyCheck: "-- 之后没有内容。请写出检查，例如 -- npm test，或去掉 --。",
    noFolder: (folder: string) => `--dir ${folder} 不是文件夹。`,
    missingFolder: (folder: string) => `--dir ${folder} 不存在。`,
    unusableFolder: (folder: string, code: string) =>
      `无法打开 --dir ${folder}（${code}）。它是你有权读取的文件夹吗？`,
    wholeDisk: (folder: string) =>
      `--dir ${folder} 不是项目：智能体会在整个磁盘或系统文件上工作。请指定你自己的文件夹。`,
    repositoryData: (folder: string) =>
      `${folder} 属于 git 仓库的数据，git 会运行其中的内容。请指定存放项目文件的文件夹。`,
    wholeHome: (folder: string) =>
      `${folder} 是你的主目录，或包含主目录：智能体可以读取其中的所有内容。请指定项目文件夹，或用 --force 允许。`,
    noState: (folder: string, code: string) =>
      `无法在 ${folder} 中保存用于撤销的日志（${code}）。请使该文件夹可写，或用 XDG_STATE_HOME 指定别处。`,
    locked: (pid: number) =>
      `另一个智能体正在此文件夹中工作（进程 ${pid}）。请等待其结束，或将其停止。`,
    wrongPattern: (pattern: string) =>
      `--allow ${pattern} 无法使用。请写文件夹内路径的模式，例如 --allow 'src/**'。`,
    settingsIgnored:
      "已忽略此文件夹中的 rightseat.json：智能体所处理的文件夹不能决定其模型和限制。请用 RIGHTSEAT_CONFIG 指定别处的文件。",
    settingsInside: (path: string) =>
      `RIGHTSEAT_CONFIG 指定的 ${path} 可能被智能体修改。请把它移出智能体所处理的文件夹。`,
    noTools: (model: string, others: string) =>
      `模型 ${model} 不能调用工具，因此无法处理文件。请用 --model NAME 选择其他模型${others === "" ? "；这里没有配置其他模型，请设置 OPENAI_API_KEY，或参阅 docs/models.md" : `（${others}）`}。`,
    otherModel: (model: string, wanted: string) => `由模型 ${model} 回答；请求的是 ${wanted}。`,
    leftOut: (path: string, why: string) => `@${path} 没有随请求发送：${why}。`,
    waiting: ({ steps, tokens }: RunFigures) =>
      `正在等待模型${steps === 0 ? "" : `（${plain(steps)} 步，${plain(tokens)} 个 token）`}`,
    running: (tool: string, path: string) => `${tool}${path === "" ? "" : ` ${path}`}`,
    checking: (command: string) => `正在运行 ${command}`,
    modelSays: (words: string) => `模型自己给出的理由：${words}`,
    always: (guard: Guard) => `修改此文件前始终需要询问：${guardsZh[guard]}。`,
    change: (path: string) => `把这项修改写入 ${path} 吗？`,
    create: (path: string) => `这样创建 ${path} 吗？`,
    remove: (path: string) => `删除 ${path} 吗？`,
    several: (files: number) => `把这些修改写入 ${files} 个文件吗？`,
    emptyFile: "（空文件）",
    yes: "是",
    all: "是，并同意本次运行中对源代码文件的所有后续修改（始终需要询问的文件除外）",
    no: "否",
    noWhy: "否，并告诉模型应该怎么做",
    instead: "应该怎么做？",
    read: (path: string) => `把 ${path} 发送给模型吗？它可能包含机密，或被 git 忽略。`,
    runCheck: "修改后运行此检查吗？",
    checkIsArguments: "程序及其参数（不经过 shell 运行）：",
    changedSince: (paths: string) =>
      `以下文件未经询问就发生了变化，而它们决定检查运行什么：${paths}。`,
    declined: "用户拒绝，没有说明理由。",
    declinedBecause: (why: string) => `用户说：${JSON.stringify(why)}。`,
    nobodyToAsk: "这里无法询问用户，运行时也没有使用 --yes 或涵盖此文件的 --allow。",
    guarded: (guard: Guard) => `这里无法询问用户，而修改此文件前总要询问：${guardsZh[guard]}。`,
    secret: "这里无法询问用户，而此类文件未经询问不会读取。",
    checkDeclined: "你不希望运行。",
    checkUnasked: "无法询问。请用 --yes 允许运行。",
    checkChanged: (paths: string) => `以下文件未经询问就发生了变化：${paths}。请查看后自行运行。`,
    checkNotStarted: (code: string) =>
      code === "ENOENT" ? "没有这个程序。" : `无法启动（${code}）。`,
    exitCode: (code: number | null, signal: string | null) =>
      code === null ? `被 ${signal ?? "信号"} 终止` : `退出码 ${code}`,
    tooLong: (seconds: number) => `${plain(seconds)} 秒后停止`,
    summary: ({ steps, files, tokens }: RunFigures) =>
      `${plain(steps)} 步，${files === 0 ? "没有修改文件" : `修改了 ${plain(files)} 个文件`}，${plain(tokens)} 个 token。`,
    undo: (command: string) => `撤销这些修改：${command}`,
    refused: "以下操作因无法询问而未执行：",
    allowHint:
      "--yes 允许修改源代码文件，--allow PATTERN 只允许其中部分路径；其他文件始终需要询问。在终端中会逐一询问。",
    stopped: "已停止。",
    stoppedAfter: (files: number) => `已停止。已写入的内容保留（${plain(files)} 个文件）。`,
  },
} satisfies Record<Locale, unknown>;

export type CodeTexts = (typeof texts)["en"] & { locale: Locale };

export function codeTexts(locale: Locale): CodeTexts {
  return { locale, ...texts[locale] };
}
