// What an editor sends as a message: words, files that are named, texts and images that come along.
import { fileURLToPath } from "node:url";
import { resolve } from "node:path";
import type { ContentBlock, PromptRequest } from "@agentclientprotocol/sdk";
import { fence } from "../../base/text/fence.ts";
import { countTextLines } from "../../workspace/line-operations.ts";
import { maxWholeFile } from "../../workspace/directory/open-file.node.ts";
import { readFileInside, toSlashes } from "../call/collect/project-files.ts";
import type { ParsedLines, Place } from "../call/collect/read-editor.ts";
import { CliError } from "../cli-error.ts";
import type { CliTexts } from "../texts.ts";

/**
 * @returns the message as it would be typed at a terminal, where a file is `@path:3-9`; what is meant, where a file of the
 * session's folder is named; texts of files as the editor shows them, by their real paths; messages beside it
 * @throws CliError for what is not read here
 */
export async function readPromptBlocks(
  blocks: PromptRequest["prompt"],
  { cwd, root, texts }: { cwd: string; root: string; texts: CliTexts },
) {
  const words: string[] = [];
  const named: string[] = [];
  const below: string[] = [];
  const images: string[] = [];
  const shown = new Map<string, string>();
  let place: Place | undefined;
  const look = async (uri: string, text?: string): Promise<boolean> => {
    const found = await findFile(uri, cwd);
    if (found === undefined) return false;
    const { path, lines, content } = found;
    if (text !== undefined && lines === undefined) shown.set(path, text);
    const last = countTextLines((lines === undefined ? text : undefined) ?? content);
    const range = lines && limitRange(lines, Math.max(last, 1));
    const file = toSlashes(root, path);
    place ??= { file, ...(range && { lines: range }) };
    // Others than these end a mention in a sentence.
    const isPlain = /^[\w./-]+$/.test(file);
    if (isPlain || named.length > 0)
      named.push(`@${file}${range === undefined ? "" : `:${range}`}`);
    return true;
  };
  for (const block of blocks) {
    const address = addressOf(block);
    if (block.type === "text") words.push(block.text);
    else if (block.type === "audio") throw new CliError(texts.acp.noSound);
    else if (block.type === "image") images.push(imageUrl(block.data, block.mimeType));
    else if (block.type === "resource_link") {
      if (!(await look(block.uri))) words.push(` [${block.name}](${address}) `);
    } else if ("text" in block.resource) {
      const { text } = block.resource;
      if (!(await look(address, text))) below.push(`${address}:\n${fence(text)}`);
    } else if (block.resource.mimeType?.startsWith("image/") === true)
      images.push(imageUrl(block.resource.blob, block.resource.mimeType ?? ""));
    else words.push(` (${address}) `);
  }
  // A command comes first, whatever was attached before it.
  const line = [words.join("").trim(), ...named].filter((text) => text !== "").join(" ");
  const content = images.map((url) => ({ type: "image_url", image_url: { url } }));
  const beside = images.length === 0 ? [] : [{ role: "user", content }];
  return { message: [line, ...below].join("\n\n"), place, shown, beside };
}

function addressOf(block: ContentBlock): string {
  if (block.type === "resource_link") return block.uri;
  return block.type === "resource" ? block.resource.uri : "";
}

function imageUrl(data: string, mimeType: string): string {
  return `data:${mimeType};base64,${data}`;
}

/** A text file inside of the folder; secret ones, and what a link leads out to, are none. */
async function findFile(uri: string, folder: string) {
  const [address = "", mark = ""] = uri.split("#", 2);
  let path: string;
  try {
    path = /^file:/i.test(address) ? fileURLToPath(address.split("?", 1)[0] ?? "") : address;
  } catch {
    return undefined;
  }
  if (path === "" || /^[a-z][\w+.-]+:/i.test(path)) return undefined;
  const read = await readFileInside(folder, resolve(folder, path), maxWholeFile);
  if (!read.ok || read.value.isSecret) return undefined;
  return { ...read.value, lines: parseMark(mark) };
}

/** `L10`, `L10:20`, `L10-L20`, `10-20`, `L10,5-L20,3`: editors write places in several ways. */
function parseMark(mark: string): ParsedLines | undefined {
  const { from, to = from } =
    /^L?(?<from>\d{1,9})(?:,\d+)?(?:[:-]L?(?<to>\d{1,9})(?:,\d+)?)?$/i.exec(mark)?.groups ?? {};
  return from === undefined ? undefined : { first: Number(from), last: Number(to) };
}

/** `3-9`, inside of so many lines. */
function limitRange({ first, last }: ParsedLines, lines: number): string {
  const inside = (line: number): number => Math.min(Math.max(line, 1), lines);
  const [start, end] = [inside(Math.min(first, last)), inside(Math.max(first, last))];
  return `${start}-${end}`;
}
