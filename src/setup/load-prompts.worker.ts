// The bundler cannot list a folder, so every built-in prompt is named here; a test compares this
// list with the folder.
import enCasesAgain from "../prompt/builtin/en/cases-again.liquid";
import enChat from "../prompt/builtin/en/chat.liquid";
import enDocstring from "../prompt/builtin/en/docstring.liquid";
import enEditAgain from "../prompt/builtin/en/edit-again.liquid";
import enExplain from "../prompt/builtin/en/explain.liquid";
import enFix from "../prompt/builtin/en/fix.liquid";
import enOptimize from "../prompt/builtin/en/optimize.liquid";
import enUnittest from "../prompt/builtin/en/unittest.liquid";
import enUnittestWrite from "../prompt/builtin/en/unittest-write.liquid";
import zhCasesAgain from "../prompt/builtin/zh/cases-again.liquid";
import zhChat from "../prompt/builtin/zh/chat.liquid";
import zhDocstring from "../prompt/builtin/zh/docstring.liquid";
import zhEditAgain from "../prompt/builtin/zh/edit-again.liquid";
import zhExplain from "../prompt/builtin/zh/explain.liquid";
import zhFix from "../prompt/builtin/zh/fix.liquid";
import zhOptimize from "../prompt/builtin/zh/optimize.liquid";
import zhUnittest from "../prompt/builtin/zh/unittest.liquid";
import zhUnittestWrite from "../prompt/builtin/zh/unittest-write.liquid";
import type { PromptFiles } from "../prompt/prompt-library.ts";

/** The built-in prompts, bundled. */
export const promptFiles: PromptFiles = {
  "en/cases-again": enCasesAgain,
  "en/chat": enChat,
  "en/docstring": enDocstring,
  "en/edit-again": enEditAgain,
  "en/explain": enExplain,
  "en/fix": enFix,
  "en/optimize": enOptimize,
  "en/unittest": enUnittest,
  "en/unittest-write": enUnittestWrite,
  "zh/cases-again": zhCasesAgain,
  "zh/chat": zhChat,
  "zh/docstring": zhDocstring,
  "zh/edit-again": zhEditAgain,
  "zh/explain": zhExplain,
  "zh/fix": zhFix,
  "zh/optimize": zhOptimize,
  "zh/unittest": zhUnittest,
  "zh/unittest-write": zhUnittestWrite,
};
