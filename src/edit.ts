// `rightseat/edit`: SEARCH/REPLACE units, line edits and code edits, as pure functions over strings.
export { applyDiff } from "./edit/apply-diff.ts";
export { applyUnits } from "./edit/apply-units.ts";
export { EditReader, type EditReaderEvent, type FileEdit } from "./edit/edit-reader.ts";
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
export { parseAnswer, type ParsedAnswer } from "./edit/parse-answer.ts";
export { parseDiff, type ParsedDiff } from "./edit/parse-diff.ts";
export { printUnits } from "./edit/print-units.ts";
