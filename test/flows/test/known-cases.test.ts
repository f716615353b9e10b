import { expect, test } from "vitest";
import { offlineModel } from "../../helpers/offline-model.ts";
import { ask, editor, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = `function total(prices) {
  if (prices.length === 0) return 0;
  return sum(prices);
}
`;

test.each(["happy path", "edge case"])(
  "a %s that the request names as written is not recommended again",
  async (category) => {
    const { app } = createTestApp({ models: offlineModel() });
    const cases = async (...variables: unknown[]) => {
      const { actions } = await ask(app, "unittest", [editor(file, [1, 4]), ...variables]);
      const nodes = actions.flatMap((action) =>
        action.action === "tree" ? action.data.nodes : [],
      );
      return nodes.filter(({ type }) => type === "case");
    };
    const known = (await cases()).find(({ labels }) => labels.includes(category));
    const line = `1. ${category}: ${known?.name}`;
    const others = await cases(prompted(`More, please.\n\nWritten already:\n\n${line}`));
    expect(known?.name).toBeDefined();
    expect(others.map(({ name }) => name)).not.toContain(known?.name);
    expect(others.length).toBeGreaterThan(0);
  },
);
