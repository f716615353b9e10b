// Files run in the processes of others, with the same modules and globals, and leave them as they found them. What tests
// change is put back here after each test, the log after each file; whatever else a file leaves behind fails it.
import { reset } from "@logtape/logtape";
import { afterAll, afterEach, vi } from "vitest";

const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(
  ([, { value }]) => value !== undefined,
);
const before = stateOf();

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

afterAll(async () => {
  await reset();
  for (const [name, now] of Object.entries(stateOf()))
    if (before[name] !== now)
      throw new Error(`This file leaves its ${name} changed: ${before[name]} became ${now}.`);
});

function stateOf(): Record<string, string> {
  const listeners = process
    .eventNames()
    .map((name) => `${String(name)}: ${process.listenerCount(name)}`);
  return {
    environment: Object.entries(process.env)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join("\n"),
    folder: process.cwd(),
    umask: process.umask().toString(8),
    listeners: listeners.sort().join(", "),
    globals: globals
      .filter(([name, { value }]) => !Object.is(Reflect.get(globalThis, name), value))
      .map(([name]) => name)
      .join(", "),
  };
}
