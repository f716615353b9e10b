import type { Limits } from "../../src/setup/settings.ts";

/** Variables of the environment with their text, and limits of the configuration with their number. */
export type TestSettings = Readonly<Record<string, string | number>>;

export function splitSettings(settings: TestSettings): {
  environment: Record<string, string>;
  limits: Partial<Limits>;
} {
  const entries = Object.entries(settings);
  return {
    environment: Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    ),
    limits: Object.fromEntries(entries.filter(([, value]) => typeof value === "number")),
  };
}
