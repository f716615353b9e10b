// The bundler cannot list a folder, so every built-in prompt is named here; a test compares this
// list with the folder.
import enCasesAgain from "../prompt/builtin/en/cases-again.liquid";
import enChat from "../prompt/builtin/en/chat.liquid";
import enCode from "../prompt/builtin/en/code.liquid";
import enDocstring from "../prompt/builtin/en/docstring.liquid";
import enEditAgain from "../prompt/builtin/en/edit-again.liquid";
import enExplain from "../prompt/builtin/en/explain.liquid";
import enFix from "../prompt/builtin/en/fix.liquid";
import enOptimize from "../prompt/builtin/en/optimize.liquid";
import enPlanEditAgain from "../prompt/builtin/en/plan-edit-again.liquid";
import enUnittest from "../prompt/builtin/en/unittest.liquid";
import enUnittestWrite from "../prompt/builtin/en/unittest-write.liquid";
import zhCasesAgain from "../prompt/builtin/zh/cases-again.liquid";
import zhChat from "../prompt/builtin/zh/chat.liquid";
import zhCode from "../prompt/builtin/zh/code.liquid";
import zhDocstring from "../prompt/builtin/zh/docstring.liquid";
import zhEditAgain from "../prompt/builtin/zh/edit-again.liquid";
import zhExplain from "../prompt/builtin/zh/explain.liquid";
import zhFix from "../prompt/builtin/zh/fix.liquid";
import zhOptimize from "../prompt/builtin/zh/optimize.liquid";
import zhPlanEditAgain from "../prompt/builtin/zh/plan-edit-again.liquid";
import zhUnittest from "../prompt/builtin/zh/unittest.liquid";
import zhUnittestWrite from "../prompt/builtin/zh/unittest-write.liquid";
import type { PromptFiles } from "../prompt/prompt-library.ts";

/** The built-in prompts, bundled. */
export const promptFiles: PromptFiles = {
  "en/cases-again": enCasesAgain,
  "en/chat": enChat,
  "en/code": enCode,
  "en/docstring": enDocstring,
  "en/edit-again": enEditAgain,
  "en/explain": enExplain,
  "en/fix": enFix,
  "en/optimize": enOptimize,
  "en/plan-edit-again": enPlanEditAgain,
  "en/unittest": enUnittest,
  "en/unittest-write": enUnittestWrite,
  "zh/cases-again": zhCasesAgain,
  "zh/chat": zhChat,
  "zh/code": zhCode,
  "zh/docstring": zhDocstring,
  "zh/edit-again": zhEditAgain,
  "zh/explain": zhExplain,
  "zh/fix": zhFix,
  "zh/optimize": zhOptimize,
  "zh/plan-edit-again": zhPlanEditAgain,
  "zh/unittest": zhUnittest,
  "zh/unittest-write": zhUnittestWrite,
};
