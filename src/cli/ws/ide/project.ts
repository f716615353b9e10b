import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { CodeAnalysis, CodeParser } from "../../../code/code-analysis.ts";
import { languageOf } from "../../../code/language-of.ts";
import { createLinkNames, type NamesOf } from "../../../workspace/directory/link-names.node.ts";
import { type InsideFile, readFileInside } from "../../call/collect/read-file-inside.ts";
import { isHidden, listProjectFiles } from "./list-project-files.ts";

/** A file that is sent, and one that is searched, in bytes. */
const maxFile = 512 * 1_024;
const maxSearched = 128 * 1_024;
/** Files of the project that are read to find a definition. */
const maxFiles = 300;

export interface ProjectFile {
  /** Absolute, without links. */
  path: string;
  text: string;
  analysis: CodeAnalysis;
}

export type FoundFile =
  | { ok: true; path: string; text: string }
  | { ok: false; problem: (InsideFile & { ok: false })["problem"] | "hidden" };

/** The files of one folder and those below it, for one command: what was read is not read again. */
export class Project {
  /** Absolute, without links. */
  readonly root: string;
  readonly #code: CodeParser;
  readonly #findLinks: () => Promise<NamesOf>;
  readonly #searched = new Map<string, Promise<string>>();
  #files: Promise<string[]> | undefined;

  constructor(root: string, code: CodeParser) {
    this.root = root;
    this.#code = code;
    this.#findLinks = createLinkNames(root);
  }

  /** A text file of the project none of whose names is hidden. @param path absolute, or from the root */
  async read(path: string, maxSize = maxFile, namesOf?: NamesOf): Promise<FoundFile> {
    const found = await readFileInside(this.root, path, maxSize);
    if (!found.ok) return found;
    const further = (namesOf ?? (await this.#findLinks()))(this.#pathOf(found.path));
    const written = this.#pathOf(resolve(this.root, path));
    // The root may be reached by another way, too.
    const names = [...(written.startsWith("../") ? [] : [written]), ...further];
    if (names.some((name) => isHidden(name))) return { ok: false, problem: "hidden" };
    return { ok: true, path: found.path, text: found.content };
  }

  #pathOf(absolute: string): string {
    return relative(this.root, absolute).split(sep).join("/");
  }

  async analyze(path: string, text: string): Promise<ProjectFile> {
    return { path, text, analysis: await this.#code.analyze(text, undefined, path) };
  }

  /** The files below a folder that are not hidden, from it and with slashes; undefined for one outside of the project. */
  async list(folder: string): Promise<string[] | undefined> {
    const path = this.#pathOf(resolve(this.root, folder));
    if (path === ".." || path.startsWith("../") || isAbsolute(path)) return undefined;
    // Files are made and deleted while the agent works.
    const files = await listProjectFiles(this.root);
    const prefix = path === "" ? "" : `${path}/`;
    return files.flatMap((file) => (file.startsWith(prefix) ? [file.slice(prefix.length)] : []));
  }

  /**
   * The files in which a definition may be, each with its text.
   *
   * @param isWanted takes a path from the root, with slashes
   */
  async *search(
    isWanted: (path: string) => boolean,
  ): AsyncGenerator<{ path: string; text: string }, void, void> {
    this.#files ??= listProjectFiles(this.root);
    const wanted = (await this.#files).filter(isWanted).slice(0, maxFiles);
    const namesOf = await this.#findLinks();
    for (const path of wanted) {
      const text = this.#searched.get(path) ?? this.#readSearched(path, namesOf);
      this.#searched.set(path, text);
      yield { path: join(this.root, path), text: await text };
    }
  }

  /** "" for what cannot be searched. */
  async #readSearched(path: string, namesOf: NamesOf): Promise<string> {
    const found = await this.read(path, maxSearched, namesOf);
    return found.ok ? found.text : "";
  }
}

/** Languages whose files use each other. */
const families: Readonly<Record<string, string>> = {
  typescript: "javascript",
  tsx: "javascript",
  cpp: "c",
};

/** What the language of a file is, as far as other files are concerned; undefined where no grammar reads it. */
export function familyOf(path: string): string | undefined {
  const language = languageOf(undefined, path);
  return language && (families[language] ?? language);
}
