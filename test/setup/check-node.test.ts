import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { checkNode } from "../../src/setup/check-node.node.ts";

test.each(["22.18.0", "22.18", "22.20.1", "24.0.0", "100.1.0", process.versions.node])(
  "Node %s is new enough",
  (version) => expect(checkNode(version)).toBeUndefined(),
);

test.each(["18.20.0", "20.20.2", "22.9.9", "22.17.1", "9.99.99"])(
  "Node %s is told what package.json asks for",
  (version) => {
    const least = manifest.engines.node.replace(">=", "");
    expect(checkNode(version)).toContain(`needs Node ${least} or newer, this is ${version}.`);
  },
);
