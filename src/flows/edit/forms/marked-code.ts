import { applyCodeEdit } from "../../../edit/apply-code-edit.ts";
import { describeDiff } from "../../../edit/describe-error.ts";
import type { EditError } from "../../../edit/edit-unit.ts";
import { splitAtMarks } from "../../../edit/find/elision.ts";
import { isSurePlaceholder, placeholderOf } from "../../../edit/placeholder.ts";
import { linesOf } from "../../../base/text/lines.ts";
import type { CodeBlock, CodeEdit } from "../../../edit/read/file-edit.ts";
import type { EditScene } from "../edit-scene.ts";
import { plainText, type TextChange } from "./apply-text.ts";
import { analyzeAs, readLines } from "./fenced-code.ts";
import { fillBodies } from "./fill-bodies.ts";
import { findDamage } from "./find-damage.ts";
import { readCodeBlocks } from "./read-code-blocks.ts";

/**
 * What code with `... existing code ...` makes of a file, or why that cannot be told. Where all that stands between the
 * marks are whole declarations, they take the place of their namesakes.
 */
export async function applyMarkedCode(
  scene: EditScene,
  codeEdit: CodeEdit,
): Promise<TextChange | EditError> {
  const { target, services, turn } = scene;
  const analyze = analyzeAs(target, services, turn.signal);
  const file = await readLines(linesOf(plainText(target.text)), analyze);
  const code = await fillBodies(scene, codeEdit.code, file, analyze);
  const reading = await readCodeBlocks(scene, declarationsOf({ ...codeEdit, code }));
  if (reading.kind === "change") return reading;
  const result = applyCodeEdit(target.text, code);
  if (!result.ok) return result.error;
  const after = plainText(result.text);
  const damage = findDamage(await analyze(plainText(target.text)), await analyze(after));
  return damage === undefined ? { after } : describeDiff("malformed", damage);
}

function declarationsOf({ code, line }: CodeEdit): CodeBlock[] {
  const isSolid = (segment: readonly string[]): boolean =>
    segment.some((text) => text.trim() !== "");
  return splitAtMarks(linesOf(code), (text) => isSurePlaceholder(placeholderOf(text)))
    .filter(isSolid)
    .map((segment) => ({
      info: "",
      code: `${segment.join("\n")}\n`,
      raw: "",
      above: "",
      filePath: undefined,
      option: undefined,
      line,
      isClosed: true,
    }));
}
