import * as z from "zod";
import type { Tool } from "../src/index.ts";

/** Lets the agent look at a build; it may ask again and again until the build is over. */
export function buildStatus(
  readStatus: (build: string, signal: AbortSignal) => Promise<string>,
): Tool<{ build: string }> {
  return {
    name: "build_status",
    description: {
      en: "Tells whether a build runs, has passed or has failed. Call it again while the build runs.",
      zh: "查询构建是正在运行、已通过还是已失败。构建运行期间可再次调用。",
    },
    input: z.object({ build: z.string() }),
    fields: { build: { en: "The number of the build.", zh: "构建编号。" } },
    effect: "read",
    // The agent is stopped where the same call gives the same result three times; not for this tool.
    mayRepeat: true,
    async run({ build }, { signal }) {
      return { success: true, status: await readStatus(build, signal) };
    },
  };
}
