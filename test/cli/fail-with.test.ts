import { expect, test } from "vitest";
import { describeThrown } from "../../src/cli/fail-with.ts";
import { ConfigError, parseConfig } from "../../src/setup/config.ts";

function configError(environment: Record<string, string>, file: unknown): unknown {
  try {
    return parseConfig(environment, file);
  } catch (thrown) {
    return thrown;
  }
}

test("problems of a settings file are told under the name of that file", () => {
  const wrong = configError({}, { prot: 1, port: "x" });
  const lines = describeThrown(wrong, {}, "conf/my.json").split("\n");
  expect(lines[0]).toBe('conf/my.json: unknown setting "prot"; did you mean port?');
  expect(lines[1]).toMatch(/^conf\/my\.json: port: /);
  expect(describeThrown(wrong, {}, undefined)).toMatch(/^rightseat\.json: unknown/);
  expect(describeThrown(configError({}, []), {}, "$&.json")).toBe(
    "$&.json must hold one JSON object.",
  );
});

test("a setting that an option gave is told under the name of the option", () => {
  const wrong = configError({ RIGHTSEAT_PORT: "x" }, {});
  expect(wrong).toBeInstanceOf(ConfigError);
  expect(describeThrown(wrong, { RIGHTSEAT_PORT: "--port x" }, undefined)).toMatch(/^--port x: /);
  expect(describeThrown(wrong, {}, undefined)).toMatch(/^RIGHTSEAT_PORT: /);
});

test("a taken address of IPv6 stands in brackets", () => {
  const taken = Object.assign(new Error("listen"), {
    code: "EADDRINUSE",
    address: "::1",
    port: 80,
  });
  expect(describeThrown(taken, {}, undefined)).toMatch(/^\[::1\]:80 is in use/);
});
