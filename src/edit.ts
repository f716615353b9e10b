// `rightseat/edit`: SEARCH/REPLACE units, line edits and code edits, as pure functions over strings.
export { applyCodeEdit } from "./edit/apply-code-edit.ts";
export { applyLineEdits } from "./edit/apply-line-edits.ts";
export {
  type ApplyOptions,
  type ChosenPlace,
  EditSession,
  type UnitPlace,
  applyUnits,
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
export {
  type ParsedAnswer,
  type ParsedDiff,
  applyDiff,
  parseAnswer,
  parseDiff,
} from "./edit/read/parse-diff.ts";
export { printUnits } from "./edit/read/print-units.ts";
export { applyTextChanges, formatUnifiedDiff, type TextChange } from "./edit/unified-diff.ts";
