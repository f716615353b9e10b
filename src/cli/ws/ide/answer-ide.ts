import * as z from "zod";
import type { CodeParser } from "../../../code/code-analysis.ts";
import { type WirePlace, findDefinitionLocations, findTypeLocations } from "./find-locations.ts";
import { type FoundFile, Project, type ProjectFile } from "./project.ts";
import { toWireSymbols } from "./wire-place.ts";

/** What an agent gets to its question. */
export type IdeAnswer = { result: unknown } | { error: string };

/** Answers a question of an agent; `params` are as they came. */
export type AnswerIde = (path: string, params: unknown) => Promise<IdeAnswer>;

const Params = z.looseObject({ abspath: z.string().min(1).max(4_096) });
/** From 0; some send numbers as text, as the document allows. */
const Offset = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const PlaceParams = z.looseObject({ line: Offset, character: Offset });

/** The services that the terminal offers for code in the editor, by their paths. */
export const ideServices = [
  "/get_document_symbols",
  "/find_def_locations",
  "/find_type_def_locations",
  "/read_file",
] as const;
type IdeService = (typeof ideServices)[number];
/** Those for work on the files of the project. */
const listService = "/list_files";
const writeService = "/write_file";

/** @param writes whether somebody may be asked for a write, or has allowed all */
export function servicesForFiles(writes: boolean): readonly string[] {
  return [...ideServices, listService, ...(writes ? [writeService] : [])];
}

/**
 * Answers IDE services from the files of a folder, with the code parser. Nothing outside of the folder is
 * read, also not by way of links, and no hidden file.
 *
 * @param root absolute, without links
 * @param write writes a file; undefined if nothing may be written
 */
export function createIdeAnswers(
  root: string,
  code: CodeParser,
  write?: (params: unknown) => Promise<IdeAnswer>,
): AnswerIde {
  const project = new Project(root, code);
  return async (path, params) => {
    if (path === writeService && write !== undefined) return write(params);
    if (path === listService) return listBelow(project, params);
    const service = ideServices.find((known) => known === path);
    if (service === undefined) return { error: "This service is not offered here." };
    const parsed = Params.safeParse(params);
    if (!parsed.success) return { error: "abspath must be the path of a file." };
    const found = await project.read(parsed.data.abspath);
    if (!found.ok) return { error: problems[found.problem] };
    if (service === "/read_file") return { result: found.text };
    const file = await project.analyze(found.path, found.text);
    if (service === "/get_document_symbols")
      return { result: toWireSymbols(file.analysis.symbols) };
    const place = PlaceParams.safeParse(params);
    if (!place.success) return { error: "line and character must be numbers from 0." };
    return { result: await find(service, project, file, place.data) };
  };
}

async function listBelow(project: Project, params: unknown): Promise<IdeAnswer> {
  const { data } = Params.safeParse(params);
  if (data === undefined) return { error: "abspath must be the path of a folder." };
  const files = await project.list(data.abspath);
  return files === undefined ? { error: problems.outside } : { result: files };
}

function find(
  service: Exclude<IdeService, "/read_file" | "/get_document_symbols">,
  project: Project,
  file: ProjectFile,
  place: WirePlace,
): Promise<unknown[]> {
  return service === "/find_def_locations"
    ? findDefinitionLocations(project, file, place)
    : findTypeLocations(project, file, place);
}

const problems: Record<(FoundFile & { ok: false })["problem"], string> = {
  missing: "There is no such file.",
  outside: "The path is outside of the project.",
  hidden: "Hidden files are not shown.",
  "too-large": "The file is larger than 512 KiB.",
  "no-file": "This is not a regular file that can be read.",
  "no-text": "The file is binary or not in UTF-8.",
};
