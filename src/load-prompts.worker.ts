// The bundler cannot list a folder, so every built-in prompt is named here; a test compares this
// list with the folder.
import enChat from "./prompt/builtin/en/chat.liquid";
import enExplain from "./prompt/builtin/en/explain.liquid";
import enFix from "./prompt/builtin/en/fix.liquid";
import enUnittest from "./prompt/builtin/en/unittest.liquid";
import zhChat from "./prompt/builtin/zh/chat.liquid";
import zhExplain from "./prompt/builtin/zh/explain.liquid";
import zhFix from "./prompt/builtin/zh/fix.liquid";
import zhUnittest from "./prompt/builtin/zh/unittest.liquid";
import type { PromptFiles } from "./prompt/prompt-library.ts";

/** The built-in prompts, bundled. */
export const promptFiles: PromptFiles = {
  "en/chat": enChat,
  "en/explain": enExplain,
  "en/fix": enFix,
  "en/unittest": enUnittest,
  "zh/chat": zhChat,
  "zh/explain": zhExplain,
  "zh/fix": zhFix,
  "zh/unittest": zhUnittest,
};
