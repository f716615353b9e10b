import type { Locale } from "../../base/errors/locale.ts";
import { type CallTexts, callTexts } from "../call/texts.ts";

/** Why a server may have opened no socket, by its status; servers often say no more. */
type Hints = Readonly<Record<number, string>>;

/** Texts around an answer that came over the socket, besides those of `call`. */
const texts = {
  en: {
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

export type WsTexts = CallTexts & (typeof texts)["en"];

export function wsTexts(locale: Locale): WsTexts {
  return { ...callTexts(locale), ...texts[locale] };
}
