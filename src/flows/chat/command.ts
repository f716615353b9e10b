import { type OwnCommand, aboutCode, later, question } from "../flow.ts";

export const chat: OwnCommand = {
  name: "chat",
  description: {
    en: "Ask anything about the code and the project",
    zh: "提出与代码和项目有关的任何问题",
  },
  answers: "A free question about the code and the project; edits in the answer are shown as diffs",
  shows: "The knowledge tree; for edits as `code`",
  ...aboutCode,
  collects: aboutCode.collects.toSpliced(3, 0, "vcs"),
  hasPlace: false,
  readsPlaces: true,
  callsTools: true,
  plugin: { cmd: "exec_chat", needs: question },
  flow: later(async () => (await import("./chat.ts")).chat),
};
