import { type OwnCommand, aboutCode, later, question } from "../flow.ts";

export const code: OwnCommand = {
  name: "code",
  description: {
    en: "Work on the files at hand in steps: read, search, edit",
    zh: "分步处理手头的文件：读取、搜索、修改",
  },
  ...aboutCode,
  hasPlace: false,
  readsFiles: true,
  plugin: { cmd: "exec_code", isOurs: true, needs: question, opensFiles: true },
  flow: later(async () => (await import("./code.ts")).code),
};
