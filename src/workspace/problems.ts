import type { Message } from "../base/errors/app-error.ts";
import type { WorkspaceProblem, WorkspaceProblemCode, WorkspaceResult } from "./workspace.ts";
import { cutText } from "../base/text/lines.ts";

/** Of a path in a message, in characters. */
const maxShown = 200;

export type Refusal = { ok: false; problem: WorkspaceProblem };

/** A path as it is shown in a message: in quotes, with control characters escaped. */
export function quotePath(path: string): string {
  return JSON.stringify(cutText(path, maxShown));
}

export function refuse(code: WorkspaceProblemCode, message: Message): Refusal {
  return { ok: false, problem: { code, message } };
}

/** Refuses with the usual words of a code. */
export function refusePath(code: keyof typeof usual, path: string): Refusal {
  return refuse(code, usual[code](quotePath(path)));
}

export function succeed<Value>(value: Value): WorkspaceResult<Value> {
  return { ok: true, value };
}

const usual = {
  outside: (path: string) => ({
    en: `${path} is outside of the workspace, or is not a path that can be used here. Use a path relative to the root, such as src/main.ts.`,
    zh: `${path} 不在工作区内，或不是可用的路径。请使用相对于根目录的路径，例如 src/main.ts。`,
  }),
  "not-found": (path: string) => ({
    en: `${path} does not exist. List its folder to see what is there.`,
    zh: `${path} 不存在。请列出其所在目录查看有哪些文件。`,
  }),
  "wrong-kind": (path: string) => ({
    en: `${path} is not of the kind that is meant here: it is a folder where a file is meant, a file where a folder is meant, or a link, device, pipe or socket.`,
    zh: `${path} 的类型不符：此处需要文件而它是目录，或此处需要目录而它是文件，或者它是链接、设备、管道或套接字。`,
  }),
  protected: (path: string) => ({
    en: `${path} is protected: an agent never changes it. Tell the person what to change there.`,
    zh: `${path} 受保护，智能体不会修改它。请告诉用户需要在其中修改什么。`,
  }),
  secret: (path: string) => ({
    en: `${path} may hold secrets or is ignored by .gitignore. It is read only when the person allows it.`,
    zh: `${path} 可能包含机密，或被 .gitignore 忽略。只有用户允许后才能读取。`,
  }),
  stale: (path: string) => ({
    en: `${path} was changed since it was read. Nothing was written. Read it again and repeat the edit.`,
    zh: `${path} 在读取后被修改过，未写入任何内容。请重新读取后再次编辑。`,
  }),
  exists: (path: string) => ({
    en: `${path} exists already. Read it first, then edit it.`,
    zh: `${path} 已存在。请先读取，再进行编辑。`,
  }),
  "read-only": (path: string) => ({
    en: `${path} cannot be changed here: only a part of it is at hand, or the workspace cannot be written.`,
    zh: `无法在此修改 ${path}：只有部分内容可用，或工作区不可写入。`,
  }),
  "not-approved": (path: string) => ({
    en: `The change of ${path} was not approved as it is. Nothing was written. Ask for approval again.`,
    zh: `对 ${path} 的这项修改未获批准，未写入任何内容。请重新请求批准。`,
  }),
  "no-permission": (path: string) => ({
    en: `The permissions of ${path} or of its folder do not allow this. Nothing was changed.`,
    zh: `${path} 或其所在目录的权限不允许此操作，未作任何修改。`,
  }),
  "disk-full": (path: string) => ({
    en: `There is no room on the disk for ${path}. The file is as it was. Free some space and try again.`,
    zh: `磁盘空间不足，无法写入 ${path}。文件保持原样。请释放空间后重试。`,
  }),
  failed: (path: string) => ({
    en: `${path} could not be used: the file system reported an error.`,
    zh: `无法使用 ${path}：文件系统报告了错误。`,
  }),
} satisfies Partial<Record<WorkspaceProblemCode, (path: string) => Message>>;

/** What the file system's error codes mean for a workspace; all others are `failed`. */
const meanings: Readonly<Record<string, keyof typeof usual>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EISDIR: "wrong-kind",
  ENXIO: "wrong-kind",
  ELOOP: "outside",
  ENAMETOOLONG: "outside",
  ESTALE: "stale",
  EEXIST: "exists",
  EACCES: "no-permission",
  EPERM: "no-permission",
  EROFS: "read-only",
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EFBIG: "disk-full",
};

/** `ENOENT` and the like; undefined for what is not an error of the file system. */
export function systemCode(thrown: unknown): string | undefined {
  const code: unknown = thrown instanceof Error ? Reflect.get(thrown, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}

/**
 * The error of the file system as a refusal.
 *
 * @throws what is not an error of the file system
 */
export function refuseSystem(thrown: unknown, path: string): Refusal {
  const code = systemCode(thrown);
  if (code === undefined) throw thrown;
  return refusePath(meanings[code] ?? "failed", path);
}
