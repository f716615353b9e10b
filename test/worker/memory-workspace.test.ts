// The same suite as on Node, where there is no engine for expressions.
import { createApprovals } from "../../src/workspace/approvals.ts";
import { createMemoryWorkspace } from "../../src/workspace/memory/memory-workspace.ts";
import { workspaceSuite } from "../workspace/workspace-suite.ts";

workspaceSuite("memory (on Workers)", async (files) => {
  const approvals = createApprovals({ now: () => 0 });
  const workspace = await createMemoryWorkspace({
    files: Object.entries(files).map(([name, text]) => ({
      name,
      text,
      startLine: 1,
      isPart: false,
    })),
    approvals,
  });
  return {
    workspace,
    approvals,
    outside: "/outside",
    readOutside: async () => JSON.stringify(workspace.listChanged()),
    async readBytes(path) {
      const signal = AbortSignal.timeout(60_000);
      const file = await workspace.read(path, { signal, mayBeSecret: true });
      return file.ok ? new TextEncoder().encode(file.value.text) : undefined;
    },
    close: async () => undefined,
  };
});
