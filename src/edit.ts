// `rightseat/edit`: SEARCH/REPLACE units, line edits and code edits, as pure functions over strings.
export { applyCodeEdit } from "./edit/apply-code-edit.ts";
export { applyDiff } from "./edit/read/parse-diff.ts";
export { applyLineEdits } from "./edit/apply-line-edits.ts";
export { applyUnits } from "./edit/edit-session.ts";
export {
  type ApplyOptions,
  type ChosenPlace,
  EditSession,
  type UnitPlace,
} from "./edit/edit-session.ts";
export { isSameFile } from "./edit/read/is-same-file.ts";
export type { Prose, Stretches } from "./edit/find/guess-prose.ts";
export { EditReader } from "./edit/read/edit-reader.ts";
export type {
  Alternative,
  CodeBlock,
  CodeEdit,
  EditForm,
  EditReaderEvent,
  EditReaderOptions,
  EndOptions,
  FileEdit,
  OptionHeading,
} from "./edit/read/file-edit.ts";
export type {
  AppliedUnit,
  EditError,
  EditErrorCode,
  EditLevel,
  EditResult,
  EditUnit,
  LineEdit,
  LineRange,
  NearestPlace,
  ParsedUnit,
} from "./edit/edit-unit.ts";
export { parseAnswer, type ParsedAnswer } from "./edit/read/parse-diff.ts";
export { parseDiff, type ParsedDiff } from "./edit/read/parse-diff.ts";
export { printUnits } from "./edit/read/print-units.ts";
export { applyTextChanges, type TextChange } from "./edit/unified-diff.ts";
export { formatUnifiedDiff } from "./edit/unified-diff.ts";
