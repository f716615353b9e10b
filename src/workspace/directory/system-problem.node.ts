import { refusePath } from "../problems.ts";

/** What the file system's error codes mean for a workspace; all others are `failed`. */
const meanings: Readonly<Record<string, Parameters<typeof refusePath>[0]>> = {
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
export function refuseSystem(thrown: unknown, path: string): ReturnType<typeof refusePath> {
  const code = systemCode(thrown);
  if (code === undefined) throw thrown;
  return refusePath(meanings[code] ?? "failed", path);
}
