import type { Locale } from "../../base/errors/locale.ts";

interface Refusal {
  /** What the server said. */
  message?: string;
  /** What the code means, for a person. */
  sentence?: string;
}

/** Why a server may have opened no socket, by its status; servers often say no more. */
type Hints = Readonly<Record<number, string>>;

/** What is around an answer. Help is in English, like every other command's. */
const texts = {
  en: {
    next: "Next steps:",
    ask: "What next?",
    askLong: "What next? Type a part of a name to find it.",
    nothing: "Nothing more",
    tick: "Which ones? Space ticks, Enter sends what is ticked. Nothing ticked: other steps.",
    back: "Back to the list",
    apply: "Apply this change to the file",
    writeTests: "Write these tests to a new file",
    created: (file: string) => `${file} was created.`,
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
    refused: (status: string, { message = "" }: Refusal = {}) =>
      `Refused with ${status}${message === "" ? "" : `: ${message}`}`,
    withRules: (file: string) => `The rules of ${file} go along.`,
    noRules: (file: string) =>
      `The rules of ${file} do not go along: they have to be a text of at most 32 kB in the repository, without secrets.`,
    seeLog: "With RIGHTSEAT_LOG_LEVEL=debug the log is shown here, which says why.",
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
    written: "written",
    writes: (file: string) => `Allowed by --yes: ${file}`,
    asksAlways: (file: string) => `Not written, since nobody could be asked: ${file}`,
    noSocket: "Is --url the address of a WebSocket, such as ws://127.0.0.1:18080/ws?",
  },
  zh: {
    next: "接下来可以：",
    ask: "接下来做什么？",
    askLong: "接下来做什么？输入名称的一部分即可查找。",
    nothing: "到此为止",
    tick: "选择哪些？空格键勾选，回车键发送；不勾选则显示其他操作。",
    back: "返回列表",
    apply: "把修改写入文件",
    writeTests: "把这些测试写入新文件",
    created: (file: string) => `${file} 已创建。`,
    changedSince: (file: string) =>
      `${file} 在发送之后已更改，因此没有写入修改。请针对现在的文件重新执行该指令。`,
    notRecorded: "rightseat undo 无法撤销这次写入。",
    brokenChange: (file: string) => `对 ${file} 的修改在传输中受损，因此没有写入。`,
    question: "你想问什么？",
    noQuestion: "请输入问题，或按 Ctrl-C 退出。",
    stopped: "已停止。",
    needsQuestion: (command: string) =>
      `${command} 需要一个问题。请用 --prompt TEXT 给出，或通过管道输入。`,
    needsCode: (command: string) =>
      `call ${command} 需要代码或问题。请指定文件，例如 call ${command} src/app.ts:10-20，或用 --prompt TEXT 提问。`,
    linesOfWhat: "--lines 需要同时指明文件：FILE 或 --file FILE。",
    twoFiles: (option: string, place: string) =>
      `指定了两个文件：${place} 和 --file ${option}。请只保留一个。`,
    twoRanges: (place: string, lines: string) =>
      `指定了两处位置：${place} 和 --lines ${lines}。请只保留一个。`,
    notOverSocket: (option: string) => `${option} 不适用于 WebSocket。请去掉它，或指定 http 地址。`,
    noAgent: "这里没有配置智能体。请用 --agent NAME 指定，或用 --definition FILE 附上定义。",
    modelStopped: (reason: string) => `模型提前结束了回答：${reason}。`,
    refused: (status: string, { message = "", sentence = "" }: Refusal = {}) =>
      `请求被拒绝（${status}）${[sentence, message]
        .filter((part) => part !== "")
        .map((part, nth) => `${nth === 0 ? "：" : "\n"}${part}`)
        .join("")}`,
    withRules: (file: string) => `随请求发送 ${file} 中的规则。`,
    noRules: (file: string) =>
      `没有发送 ${file} 中的规则：规则须是仓库内不超过 32 kB 的文本，且不含机密。`,
    seeLog: "设置 RIGHTSEAT_LOG_LEVEL=debug 后，日志会显示在这里，其中写有原因。",
    closed: (code: number, reason: string) =>
      `回答尚未完成，连接就已断开（${code}${reason && `：${reason}`}）。`,
    noFrame: "服务器发来了此协议中没有的消息。--url 是它的地址吗？",
    tooLong: "回答超过 16 MiB，其余部分没有读取。",
    queueFull: (length: number) => `队列已满，已有 ${length} 个任务在等待。请稍后再试。`,
    cancelled: "另一个任务取代了此任务。",
    place: (place: number) => `排在队列第 ${place} 位。`,
    asked: (question: string) => `智能体询问 ${question}`,
    given: (count: number) => `找到 ${count} 个`,
    sent: (length: number) => `已发送 ${length} 个字符`,
    refusedAnswer: (why: string) => `已拒绝：${why}`,
    noModel: (name: string) => `这里的设置中没有可以回答的模型 ${name}。`,
    cases: "为哪些用例编写测试？空格键勾选，回车键为勾选的用例编写。",
    noneTicked: "没有勾选用例，因此不编写测试。",
    noCases: "没有推荐用例，因此不编写测试。",
    hints: {
      401: "请用 --key KEY 给出服务器认可的密钥。",
      429: "此密钥打开的连接过多，请在关闭一个之后再试。",
    } as Hints,
    written: "已写入",
    writes: (file: string) => `--yes 已允许：${file}`,
    asksAlways: (file: string) => `因无法询问而未写入：${file}`,
    noSocket: "--url 是 WebSocket 的地址吗？例如 ws://127.0.0.1:18080/ws。",
  },
} satisfies Record<Locale, unknown>;

export type CallTexts = (typeof texts)["en"] & { locale: Locale };

export function callTexts(locale: Locale): CallTexts {
  return { locale, ...texts[locale] };
}
