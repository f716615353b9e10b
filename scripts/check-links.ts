// Looks at the links of the pages that people read: each leads to a file that exists, and to a heading that is there.
import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { root } from "./run.ts";

/** The text of each page by its path from the root. */
export type Pages = ReadonlyMap<string, string>;

/** The longest README, in lines: what it does not say is on a page of docs/. */
const maxReadme = 200;

export function readPages(): Pages {
  const paths = ["README.md", "ARCHITECTURE.md", "scripts/bench/README.md"].concat(
    globSync("docs/**/*.md", { cwd: root }).map((path) => path.replaceAll("\\", "/")),
  );
  return new Map(paths.map((path) => [path, readFileSync(`${root}${path}`, "utf8")]));
}

/** One line for each link that leads nowhere, for each page that the README does not lead to, and for a long README. */
export function findBrokenLinks(
  pages: Pages,
  exists: (path: string) => boolean = (path) => existsSync(`${root}${path}`),
): string[] {
  const reached = new Set(["README.md"]);
  const broken = [...pages].flatMap(([from, text]) =>
    listLinks(text).flatMap((link) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const to = path === "" ? from : posix.normalize(posix.join(posix.dirname(from), path));
      if (from === "README.md") reached.add(to);
      const target = pages.get(to);
      if (target === undefined && !exists(to)) return [`${from}: there is no file for ${link}`];
      if (anchor === undefined || listAnchors(target ?? "").has(anchor)) return [];
      return [`${from}: there is no heading for ${link}`];
    }),
  );
  const hidden = [...pages.keys()].filter((path) => path.startsWith("docs/") && !reached.has(path));
  const lines = (pages.get("README.md") ?? "").trimEnd().split("\n").length;
  return [
    ...broken,
    ...hidden.map((path) => `${path}: the README does not lead to it`),
    ...(lines > maxReadme ? [`README.md has ${lines} lines, more than ${maxReadme}`] : []),
  ];
}

/** A code block of a page, with the word behind its fence. */
export interface Block {
  language: string;
  text: string;
  /** From 1. */
  line: number;
}

/** The code blocks of a page, and its other lines. */
export function splitPage(text: string): { blocks: Block[]; prose: string[] } {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { fence: string; language: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const [, fence, language = ""] = /^\s*(`{3,})(\w*)/.exec(line) ?? [];
    if (open === undefined && fence !== undefined)
      open = { fence, language, line: at + 1, lines: [] };
    else if (open === undefined) prose.push(line);
    else if (line.trim() === open.fence) {
      blocks.push({ ...open, text: open.lines.map((it) => `${it}\n`).join("") });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) throw new Error(`The code block in line ${open.line} has no end.`);
  return { blocks, prose };
}

function listLinks(text: string): string[] {
  const prose = splitPage(text)
    .prose.join("\n")
    .replaceAll(/`[^`]*`/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
}

/** The anchors of the headings, as GitHub names them. */
function listAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of splitPage(text).prose) {
    const [, heading] = /^#{1,6} (.*)$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const plain = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "");
    const name = plain.replaceAll(" ", "-");
    let anchor = name;
    for (let nth = 1; anchors.has(anchor); nth += 1) anchor = `${name}-${nth}`;
    anchors.add(anchor);
  }
  return anchors;
}

if (import.meta.main) {
  const pages = readPages();
  const broken = findBrokenLinks(pages);
  for (const line of broken) console.error(line);
  console.log(`links: ${pages.size} pages, ${broken.length} problems`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
