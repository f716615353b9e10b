// An IDE with files in memory, which asks nobody before it writes.
import { hashOf } from "../../helpers/tool-workspace.ts";
import type { IdeChange, IdeFiles, IdeWritten } from "../../../src/workspace/ide/ide-workspace.ts";

export interface TestIde {
  files: IdeFiles & { write: NonNullable<IdeFiles["write"]> };
  /** By their absolute paths. */
  texts: Map<string, string>;
  /** What was asked: `read /project/a.ts`. */
  asked: string[];
}

/** @param root without a separator at its end */
export function createTestIde(
  root: string,
  files: Readonly<Record<string, string>>,
  outside: Readonly<Record<string, string>> = {},
): TestIde {
  const separator = root.includes("\\") ? "\\" : "/";
  const toAbsolute = (path: string): string =>
    `${root}${separator}${path.replaceAll("/", separator)}`;
  const own = Object.entries(files).map(([path, text]): [string, string] => [
    toAbsolute(path),
    text,
  ]);
  const texts = new Map<string, string>([...own, ...Object.entries(outside)]);
  const asked: string[] = [];
  const write = async ({ abspath, hashBefore, text }: IdeChange): Promise<IdeWritten> => {
    asked.push(`write ${abspath}`);
    const now = texts.get(abspath);
    const hash = now === undefined ? null : hashOf(now);
    if (hash !== hashBefore) return { ok: false, reason: "It has changed." };
    if (text === null) texts.delete(abspath);
    else texts.set(abspath, text);
    return { ok: true };
  };
  return {
    texts,
    asked,
    files: {
      async read(abspath) {
        asked.push(`read ${abspath}`);
        return texts.get(abspath) ?? null;
      },
      async list(abspath) {
        asked.push(`list ${abspath}`);
        const prefix = `${abspath}${separator}`;
        const inside = [...texts.keys()].filter((path) => path.startsWith(prefix));
        return inside.map((path) => path.slice(prefix.length));
      },
      write,
    },
  };
}
