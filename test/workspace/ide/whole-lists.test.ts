// A plugin that answers with its whole project for every folder: the first list serves.
import { describe, expect, test } from "vitest";
import { listFiles } from "../../../src/workspace/list-files.ts";
import { createApprovals } from "../../../src/workspace/approvals.ts";
import { createIdeWorkspace } from "../../../src/workspace/ide/ide-workspace.ts";

const { signal } = new AbortController();

/** A project of so many folders, each with its files. */
function open(folders: number, style: "relative" | "absolute" | "by folder", now = () => 0) {
  const paths = Array.from({ length: folders }, (_, nth) => [
    `src/part${nth % 10}/deep${nth}/a.ts`,
    `src/part${nth % 10}/deep${nth}/b.ts`,
  ]).flat();
  let calls = 0;
  let looks = 0;
  const rows = paths.map((path) => (style === "absolute" ? `/w/${path}` : path));
  const answer = (abspath: string): readonly string[] => {
    if (style !== "by folder") return [...rows];
    const prefix = abspath === "/w" ? "" : `${abspath.slice("/w/".length)}/`;
    return paths.flatMap((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : []));
  };
  const files = {
    read: async (abspath: string) => (paths.includes(abspath.slice(3)) ? "x\n" : null),
    list: async (abspath: string) => {
      calls += 1;
      const listed = answer(abspath);
      looks += listed.length;
      return listed;
    },
    write: undefined,
  };
  const approvals = createApprovals({ now: () => 0 });
  const workspace = createIdeWorkspace({ files, root: "/w", approvals, now });
  if (workspace === undefined) throw new Error("no workspace");
  return { workspace, paths, counted: () => ({ calls, looks }) };
}

describe.each(["relative", "absolute"] as const)("with %s paths", (style) => {
  test("all files are found, each where it is", async () => {
    const { workspace, paths } = open(50, style);
    const listed = await listFiles(workspace, signal);
    expect(listed.map(({ path }) => path).sort()).toEqual([...paths].sort());
    const inside = await workspace.list("src/part3", { signal, maxEntries: 100, depth: 2 });
    const names = inside.ok ? inside.value.entries.map(({ name }) => name).sort() : [];
    expect(names).toEqual(["deep13", "deep23", "deep3", "deep33", "deep43"]);
    expect((await workspace.list("src/nowhere", { signal, maxEntries: 9, depth: 1 })).ok).toBe(
      false,
    );
  });

  test("calls do not grow with the folders, and work grows with the files", async () => {
    const small = open(100, style);
    await listFiles(small.workspace, signal);
    const large = open(1_000, style);
    await listFiles(large.workspace, signal);
    const [few, many] = [small.counted(), large.counted()];
    expect(few.calls).toBeLessThanOrEqual(2);
    expect(many.calls).toBe(few.calls);
    expect(many.looks).toBe(10 * few.looks);
  });

  test("a list is asked for again after a while", async () => {
    let time = 0;
    const { workspace, counted } = open(10, style, () => time);
    await listFiles(workspace, signal);
    const { calls } = counted();
    time = 11_000;
    await listFiles(workspace, signal);
    expect(counted().calls).toBe(calls + 1);
  });
});

test("a plugin that lists a folder as it should is asked for each, and found out by nothing", async () => {
  const { workspace, paths } = open(30, "by folder");
  const listed = await listFiles(workspace, signal);
  expect(listed.map(({ path }) => path).sort()).toEqual([...paths].sort());
});
