import type { Message } from "../../../base/errors/app-error.ts";

/** Why a file came along: for the receipt. */
export type MapReason =
  | { kind: "named" }
  | { kind: "defines"; name: string }
  | { kind: "refers"; name: string }
  | { kind: "holds"; text: string }
  | { kind: "word"; word: string }
  /** Its text has the word, in any form. */
  | { kind: "says"; word: string }
  /** It refers to files that have a reason, or they to it. */
  | { kind: "near" };

export function describeReason(reason: MapReason): Message {
  switch (reason.kind) {
    case "named":
      return { en: "named in the request", zh: "请求中提到" };
    case "defines":
      return { en: `defines \`${reason.name}\``, zh: `定义了 \`${reason.name}\`` };
    case "refers":
      return { en: `refers to \`${reason.name}\``, zh: `用到 \`${reason.name}\`` };
    case "holds":
      return { en: `contains "${reason.text}"`, zh: `包含“${reason.text}”` };
    case "word":
      return { en: `its names contain "${reason.word}"`, zh: `名称中含有“${reason.word}”` };
    case "says":
      return { en: `mentions "${reason.word}"`, zh: `内容提到“${reason.word}”` };
    case "near":
      return { en: "is connected with the others", zh: "与其他文件有关联" };
  }
}
