import { describe, expect, test } from "vitest";
import { parseContext } from "../../../src/turn/context/context.ts";
import { createApprovals } from "../../../src/workspace/approvals.ts";
import {
  createMemoryWorkspace,
  filesOfContext,
} from "../../../src/workspace/memory/memory-workspace.ts";
import { compilePattern } from "../../../src/workspace/search/compile-pattern.node.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";
import {
  applyApproved,
  canary,
  changeOf,
  codeOf,
  valueOf,
  workspaceSuite,
} from "../workspace-suite.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };

workspaceSuite("memory", async (files) => {
  const approvals = createApprovals({ now: () => 0 });
  const workspace = await createMemoryWorkspace({
    files: Object.entries(files).map(([name, text]) => ({
      name,
      text,
      startLine: 1,
      isPart: false,
    })),
    approvals,
    compile: compilePattern,
  });
  return {
    workspace,
    approvals,
    outside: "/outside",
    readOutside: async () => JSON.stringify(workspace.listChanged()),
    async readBytes(path) {
      const file = await workspace.read(path, { ...options, mayBeSecret: true });
      return file.ok ? new TextEncoder().encode(file.value.text) : undefined;
    },
    close: async () => undefined,
  };
});

describe("a memory workspace of a request", () => {
  const content = "export const a = 1;\n";
  const request = [
    { name: "activeEditor", value: { filePath: "/home/me/app/src/a.ts", content } },
    { name: "packageFiles", value: [{ filepath: "/home/me/app/package.json", content: "{}\n" }] },
    {
      name: "knowledgeBase",
      value: [
        {
          references: [
            {
              score: 2,
              chunk: "one\ntwo\n",
              metadata: { fileName: "guide.md", startPos: 5, endPos: 6 },
            },
            { score: 1, chunk: "three\n", metadata: { fileName: "guide.md", startPos: 9 } },
          ],
        },
      ],
    },
  ];
  const create = async () => {
    const approvals = createApprovals({ now: () => 0 });
    const files = filesOfContext(parseContext(request));
    return { approvals, workspace: await createMemoryWorkspace({ files, approvals }) };
  };

  test.each(["/home/me/app/src/a.ts", "home/me/app/src/a.ts", "src/a.ts", "a.ts"])(
    "%j means the editor's file, whose hash is that of its content",
    async (path) => {
      const { workspace } = await create();
      const file = valueOf(await workspace.read(path, options));
      expect(file).toMatchObject({ path: "home/me/app/src/a.ts", text: content, isPart: false });
      expect(file.hash).toBe(hashOf(content));
    },
  );

  test("passages of knowledge have their lines and cannot be changed", async () => {
    const given = await create();
    const passage = valueOf(await given.workspace.read("guide.md", options));
    expect(passage).toMatchObject({
      text: "one\ntwo\n",
      startLine: 5,
      totalLines: 6,
      isPart: true,
    });
    const lines = { startLine: 6, endLine: 6 };
    const second = await given.workspace.read("guide.md", { ...options, lines });
    expect(valueOf(second)).toMatchObject({ text: "two\n", startLine: 6 });
    expect(valueOf(await given.workspace.read("guide.md#L9", options)).text).toBe("three\n");
    const change = await changeOf(given.workspace, "guide.md", "x\n");
    expect(codeOf(await applyApproved(given, change))).toBe("read-only");
    const query = { query: "two", isCaseSensitive: true, include: [], exclude: [], maxHits: 5 };
    const { hits } = valueOf(await given.workspace.search(query, options));
    expect(hits).toEqual([{ file: "guide.md", line: 6, content: "two" }]);
  });

  test("an editor of which only a part came cannot be changed", async () => {
    const value = {
      filePath: "a.ts",
      selectedRanges: [{ content: "b\n", startLine: 7, contentBeforeSelection: "a\n" }],
    };
    const files = filesOfContext(parseContext([{ name: "activeEditor", value }]));
    expect(files).toEqual([{ name: "a.ts", text: "a\nb\n", startLine: 6, isPart: true }]);
  });

  test("new files lie beside files that are known, and nowhere else by an absolute path", async () => {
    const given = await create();
    const createAt = async (path: string) =>
      codeOf(await applyApproved(given, { path, before: undefined, after: "x\n" }));
    expect(await createAt("/home/me/app/src/b.ts")).toBeUndefined();
    expect(await createAt("docs/b.md")).toBeUndefined();
    expect(await createAt("/home/me/.bashrc")).toBe("outside");
    expect(await createAt("/etc/passwd")).toBe("outside");
  });

  test("all changes are listed as one for each file, from what came to what it is", async () => {
    const given = await create();
    const { workspace } = given;
    await applyApproved(given, await changeOf(workspace, "src/a.ts", "b\n"));
    await applyApproved(given, await changeOf(workspace, "src/a.ts", "c\n"));
    await applyApproved(given, await changeOf(workspace, "package.json", undefined));
    await applyApproved(given, { path: "new.md", before: undefined, after: "x\n" });
    await applyApproved(given, { path: "gone.md", before: undefined, after: "x\n" });
    await applyApproved(given, await changeOf(workspace, "gone.md", undefined));
    const changes = workspace.listChanged().map(({ path, before, now }) => ({
      path,
      before: before && { text: before.text, hash: before.hash },
      after: now?.text,
    }));
    expect(changes).toEqual([
      {
        path: "home/me/app/package.json",
        before: { text: "{}\n", hash: hashOf("{}\n") },
        after: undefined,
      },
      {
        path: "home/me/app/src/a.ts",
        before: { text: content, hash: hashOf(content) },
        after: "c\n",
      },
      { path: "new.md", before: undefined, after: "x\n" },
    ]);
  });

  test("a change back to what came is no change", async () => {
    const given = await create();
    await applyApproved(given, await changeOf(given.workspace, "src/a.ts", "b\n"));
    await applyApproved(given, await changeOf(given.workspace, "src/a.ts", content));
    expect(given.workspace.listChanged()).toEqual([]);
  });

  test("paths of Windows are taken as the client names them", async () => {
    const approvals = createApprovals({ now: () => 0 });
    const files = [{ name: "C:\\app\\src\\a.ts", text: "a\n", startLine: 1, isPart: false }];
    const workspace = await createMemoryWorkspace({ files, approvals });
    for (const path of ["C:\\app\\src\\a.ts", "C:/app/src/a.ts", "src\\a.ts"])
      expect(valueOf(await workspace.read(path, options)).text).toBe("a\n");
    expect(codeOf(await workspace.read("C:\\Windows\\win.ini", options))).toBe("outside");
  });

  test("without an engine every pattern is looked for as it is, and this is told", async () => {
    const { workspace } = await create();
    const query = { query: "a = .;", isCaseSensitive: true, include: [], exclude: [], maxHits: 5 };
    expect(valueOf(await workspace.search(query, options))).toMatchObject({
      hits: [],
      isPlain: true,
    });
  });

  test("a secret that a request brought along is not sent on unasked", async () => {
    const value = { filePath: "/home/me/app/.env", content: canary };
    const files = filesOfContext(parseContext([{ name: "activeEditor", value }]));
    const workspace = await createMemoryWorkspace({
      files,
      approvals: createApprovals({ now: () => 0 }),
    });
    expect(codeOf(await workspace.read("/home/me/app/.env", options))).toBe("secret");
  });
});
