import { expect, test } from "vitest";
import { describeFault, nameCause } from "../../../src/base/errors/describe-cause.ts";

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}

test("a fault is told with its message and the places that it came through", () => {
  const fault = caught(() => Reflect.get(Object(undefined), "x").y);
  expect(describeFault(fault)).toMatch(
    /^TypeError: Cannot read properties of undefined \(reading 'y'\) at .*describe-cause\.test\.ts:\d+:\d+/,
  );
});

test("what somebody has sent stays out of the log", () => {
  const secret = "const password = 'correct horse battery staple';";
  const parsed = describeFault(caught(() => JSON.parse(secret)));
  expect(parsed).toMatch(/^SyntaxError at /);
  const quoted = describeFault(new Error(`Cannot use "${secret}" here\n${secret}`));
  expect(quoted).toMatch(/^Error: Cannot use "\.\.\." here at /);
  for (const text of [parsed, quoted]) expect(text).not.toContain("horse");
});

test("a long message is cut, and what is no error says nothing", () => {
  const described = describeFault(new Error("x".repeat(1_000)));
  expect(described).toMatch(/^Error: x{200} at /);
  expect(describeFault("secret")).toBe("");
});

test("a cause of others is told by name and code only", () => {
  const refused = Object.assign(new Error("secret"), { code: "ECONNREFUSED" });
  expect(nameCause(refused)).toBe("Error ECONNREFUSED");
  expect(nameCause(undefined)).toBe("");
});
