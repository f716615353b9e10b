// The edits of an answer as they come, by file, and those that are options to choose from.
import type { EditError, ParsedUnit } from "../edit-unit.ts";
import type {
  Alternative,
  CodeEdit,
  EditForm,
  EditReaderEvent,
  FileEdit,
  OptionHeading,
} from "./file-edit.ts";

interface Scope {
  heading: OptionHeading | undefined;
  files: FileEdit[];
  byPath: Map<string, FileEdit>;
}

/**
 * Keeps edits by file. Those under headings of options wait: at the end, two such headings or more with edits
 * are alternatives, and the edits of a single one are as others.
 */
export class CollectedEdits {
  readonly alternatives: Alternative[] = [];
  readonly #main = createScope(undefined);
  readonly #options = new Map<OptionHeading, Scope>();
  readonly #tell: (event: EditReaderEvent) => void;
  #scope = this.#main;

  /** @param tell takes each edit that is sure */
  constructor(tell: (event: EditReaderEvent) => void) {
    this.#tell = tell;
  }

  get files(): FileEdit[] {
    return this.#main.files;
  }

  get isEmpty(): boolean {
    return (
      this.files.length === 0 &&
      [...this.#options.values()].every(({ files }) => files.length === 0)
    );
  }

  /** The heading under which the answer goes on. */
  get heading(): OptionHeading | undefined {
    return this.#scope.heading;
  }

  /** What follows is under this heading of options, or under none. */
  enter(heading: OptionHeading | undefined): void {
    if (heading === undefined) {
      this.#scope = this.#main;
      return;
    }
    this.#scope = this.#options.get(heading) ?? createScope(heading);
    this.#options.set(heading, this.#scope);
  }

  /** The edits of a file, which begin with this form if there are none yet. */
  open(filePath: string | undefined, form: EditForm): FileEdit {
    const { byPath, files } = this.#scope;
    const key = keyOf(filePath);
    const known = byPath.get(key);
    if (known !== undefined) return known;
    const edit: FileEdit = { filePath, form, units: [] };
    byPath.set(key, edit);
    files.push(edit);
    return edit;
  }

  /** A bare file of the same scope, if there is one. */
  get unnamed(): FileEdit | undefined {
    return this.#scope.byPath.get(keyOf(undefined));
  }

  /** @param form in which this unit was written; a file may have several */
  add(edit: FileEdit, unit: ParsedUnit, form: EditForm = edit.form): void {
    edit.units.push(unit);
    const { filePath } = edit;
    if (this.#scope === this.#main) this.#tell({ type: "unit", filePath, form, unit });
  }

  setCodeEdit(edit: FileEdit, codeEdit: CodeEdit): void {
    const { codeEdit: first } = edit;
    if (first === undefined) edit.codeEdit = codeEdit;
    if (first === undefined || first.code === codeEdit.code) return;
    // Several pieces of one file: what is between them is unchanged.
    const code = `${first.code}// ... existing code ...\n${codeEdit.code}`;
    edit.codeEdit = { code, line: first.line };
  }

  fail(edit: FileEdit, error: EditError): void {
    if (edit.error !== undefined) return;
    edit.error = error;
    if (this.#scope === this.#main) this.#tell({ type: "fault", filePath: edit.filePath, error });
  }

  /** Takes what one form was read to be. */
  take(edits: readonly FileEdit[], fallbackPath: string | undefined): void {
    for (const { filePath, form, units, codeEdit, error, isDeletion } of edits) {
      const edit = this.open(filePath ?? fallbackPath, form);
      if (edit.units.length === 0) edit.form = form;
      for (const unit of units) this.add(edit, unit, form);
      if (codeEdit !== undefined) this.setCodeEdit(edit, codeEdit);
      if (isDeletion === true && edit.error === undefined) edit.isDeletion = true;
      if (error !== undefined) this.fail(edit, error);
    }
  }

  /** The answer is over: decides what is an alternative. */
  end(): void {
    this.#scope = this.#main;
    const options = [...this.#options.values()].filter(({ files }) => files.length > 0);
    if (options.length >= 2) {
      for (const { heading, files } of options) {
        if (heading !== undefined) this.alternatives.push({ ...heading, files });
      }
    } else
      this.take(
        options.flatMap(({ files }) => files),
        undefined,
      );
    for (const { filePath, codeEdit } of this.files) {
      if (codeEdit !== undefined) this.#tell({ type: "code-edit", filePath, codeEdit });
    }
  }
}

function createScope(heading: OptionHeading | undefined): Scope {
  return { heading, files: [], byPath: new Map() };
}

/** Paths that differ in their slashes only mean one file. */
function keyOf(filePath: string | undefined): string {
  return filePath === undefined ? "" : `:${filePath.replaceAll("\\", "/").replace(/^\.\//, "")}`;
}
