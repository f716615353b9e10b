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

/**
 * Keeps edits by file. Those under headings of options wait: at the end, two such headings or more with edits
 * are alternatives, and the edits of a single one are as others.
 */
export class CollectedEdits {
  readonly alternatives: Alternative[] = [];
  /** By their paths, as {@link keyOf} has them. */
  readonly #main = new Map<string, FileEdit>();
  readonly #scopes = new Map<OptionHeading | undefined, Map<string, FileEdit>>();
  readonly #tell: (event: EditReaderEvent) => void;
  #scope = this.#main;
  /** The heading under which the answer goes on. */
  heading: OptionHeading | undefined;

  /** @param tell takes each edit that is sure */
  constructor(tell: (event: EditReaderEvent) => void) {
    this.#tell = tell;
    this.#scopes.set(undefined, this.#main);
  }

  get files(): FileEdit[] {
    return [...this.#main.values()];
  }

  get isEmpty(): boolean {
    return [...this.#scopes.values()].every(({ size }) => size === 0);
  }

  /** What follows is under this heading of options, or under none. */
  enter(heading: OptionHeading | undefined): void {
    this.heading = heading;
    this.#scope = this.#scopes.get(heading) ?? new Map<string, FileEdit>();
    this.#scopes.set(heading, this.#scope);
  }

  /** The edits of a file, which begin with this form if there are none yet. */
  open(filePath: string | undefined, form: EditForm): FileEdit {
    const key = keyOf(filePath);
    const edit = this.#scope.get(key) ?? { filePath, form, units: [] };
    this.#scope.set(key, edit);
    return edit;
  }

  /** A bare file of the same scope, if there is one. */
  get unnamed(): FileEdit | undefined {
    return this.#scope.get(keyOf(undefined));
  }

  /** @param form in which this unit was written; a file may have several */
  add(edit: FileEdit, unit: ParsedUnit, form: EditForm): void {
    edit.units.push(unit);
    const { filePath } = edit;
    if (this.#scope === this.#main) this.#tell({ type: "unit", filePath, form, unit });
  }

  #setCodeEdit(edit: FileEdit, codeEdit: CodeEdit): void {
    const { codeEdit: first = codeEdit } = edit;
    // Several pieces of one file: what is between them is unchanged.
    const code = `${first.code}// ... existing code ...\n${codeEdit.code}`;
    edit.codeEdit = first.code === codeEdit.code ? first : { code, line: first.line };
  }

  fail(edit: FileEdit, error: EditError): void {
    if (edit.error !== undefined) return;
    edit.error = error;
    if (this.#scope === this.#main) this.#tell({ type: "fault", filePath: edit.filePath, error });
  }

  /** Takes what one form was read to be. */
  take(edits: readonly FileEdit[], fallbackPath?: string): void {
    for (const { filePath, form, units, codeEdit, error, isDeletion } of edits) {
      const edit = this.open(filePath ?? fallbackPath, form);
      if (edit.units.length === 0) edit.form = form;
      for (const unit of units) this.add(edit, unit, form);
      if (codeEdit !== undefined) this.#setCodeEdit(edit, codeEdit);
      if (isDeletion === true && edit.error === undefined) edit.isDeletion = true;
      if (error !== undefined) this.fail(edit, error);
    }
  }

  /** The answer is over: decides what is an alternative. */
  end(): void {
    const options = [...this.#scopes].flatMap(([heading, files]) =>
      heading === undefined || files.size === 0 ? [] : { ...heading, files: [...files.values()] },
    );
    this.enter(undefined);
    if (options.length >= 2) this.alternatives.push(...options);
    else this.take(options.flatMap(({ files }) => files));
    for (const { filePath, codeEdit } of this.files) {
      if (codeEdit !== undefined) this.#tell({ type: "code-edit", filePath, codeEdit });
    }
  }
}

/** Paths that differ in their slashes only mean one file. */
function keyOf(filePath: string | undefined): string {
  return filePath === undefined ? "" : `:${filePath.replaceAll("\\", "/").replace(/^\.\//, "")}`;
}
