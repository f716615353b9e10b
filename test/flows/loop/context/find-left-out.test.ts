import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findLeftOut } from "../../../../src/flows/loop/context/bring-files.ts";
import { createApprovals } from "../../../../src/workspace/approvals.ts";
import { createDirectoryWorkspace } from "../../../../src/workspace/directory/directory-workspace.node.ts";
import { temporaryFolder } from "../../../cli/call/temporary-folder.ts";

async function leftOut(request: string, brought: readonly string[] = []) {
  const root = temporaryFolder({});
  const files = {
    ".env": "KEY=canary\n",
    ".gitignore": "build/\n",
    "build/out.js": "1;\n",
    "src/cart.js": "1;\n",
    "logo.png": "\u0000\u0001",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const workspace = await createDirectoryWorkspace({
    root,
    stateFolder: temporaryFolder({}),
    request,
    approvals: createApprovals({ now: () => 0 }),
    now: () => 0,
    search: () => Promise.reject(new Error("The files are not searched.")),
  });
  onTestFinished(() => workspace.close());
  const { signal } = new AbortController();
  const found = await findLeftOut(workspace, request, brought, signal);
  return found.map(({ path, why }) => `${path}: ${why.en}`);
}

test.each([
  ["Use @.env here", /^\.env: it may hold secrets/],
  ["把 @.env里的值改掉", /^\.env: it may hold secrets/],
  ["Use @build/out.js.", /^build\/out\.js: it may hold secrets, or git ignores it/],
  ["Look at @src/crat.js, please", /^src\/crat\.js: there is no such file/],
  ["(see @./src/cart.js)", /^\.\/src\/cart\.js: there is no room/],
  ["Use @../secret.txt", /^\.\.\/secret\.txt: it is outside/],
  ["Use @/etc/passwd", /^\/etc\/passwd: it is outside/],
  ["What is in @logo.png?", /^logo\.png: it is not a text file/],
])("of %s it is told why the file does not come", async (request, why) => {
  expect(await leftOut(request)).toEqual([expect.stringMatching(why)]);
});

test.each([
  "Rename total in @src/cart.js",
  "Rename total in @cart.js:1-3",
  "Tell ada@example.org and @ada about @types/node and @app.route and @src",
  "Use the decorator @Component({}) and @pytest.fixture",
  "No file at all",
])("of %s nothing is told", async (request) => {
  expect(await leftOut(request, ["src/cart.js"])).toEqual([]);
});
