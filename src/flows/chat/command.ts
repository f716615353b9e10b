import { type OwnCommand, aboutCode, later, question } from "../flow.ts";

export const chat: OwnCommand = {
  name: "chat",
  description: {
    en: "Ask anything about the code and the project",
    zh: "提出与代码和项目有关的任何问题",
  },
  ...aboutCode,
  hasPlace: false,
  readsPlaces: true,
  callsTools: true,
  plugin: { cmd: "exec_chat", needs: question },
  flow: later(async () => (await import("./chat.ts")).chat),
};
