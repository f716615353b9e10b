// Packages that are installed by those who use them: where one is missing, the error names it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const opened = `
  const { createModbus } = await import("./src/tools/specs/modbus-serial.node.ts");
  const { createMcpServers } = await import("./src/tools/specs/mcp-servers.ts");
  const { signal } = new AbortController();
  const place = { unit: 1, storage: "coils", address: 0 };
  const read = (server) =>
    createModbus({ resolve: async (host) => host, allowsLine: () => true }).read(server, place, 1, signal);
  const address = { one: { url: "https://one.test" } };
  const openFetch = () => () => Promise.reject(new Error("none"));
  const update = () => createMcpServers(address, { environment: {}, openFetch, version: "1" }).update(["one"]);`;

test.each([
  ["modbus-serial", `read({ type: "tcp", host: "127.0.0.1", port: 1 })`],
  ["serialport", `read({ type: "rtu", line: "/dev/null", baudRate: 9600 })`],
  ["serialport", `read({ type: "ascii", line: "/dev/null", baudRate: 9600 })`],
  ["@modelcontextprotocol/client", `update()`],
])("without %s, the error of %s says how to install it", async (missing, use) => {
  const script = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name !== ${JSON.stringify(missing)}) return next(name, context);
      throw Object.assign(new Error("none"), { code: "MODULE_NOT_FOUND" });
    } });
    ${opened}
    await ${use}.catch((error) => console.log(error.message));
    process.exit();`;
  const args = ["--input-type=module", "--no-warnings", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toContain(`npm install ${missing}`);
});
