import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findKnowledgeProblems } from "../../../src/setup/load-agents.node.ts";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";

function agent(resolverOptions: object): AgentDefinition {
  const contextVariables = [{ name: "knowledgeBase", resolverOptions }];
  return AgentDefinition.parse({
    name: "helper",
    commands: [{ name: "chat", contextVariableCollectionStrategy: { contextVariables } }],
  });
}
const searching = (...knowledgeBaseIds: string[]) =>
  agent({ recallByAgent: true, knowledgeBaseIds });
const leaving = agent({ recallByAgent: false });

test("an agent that finds every knowledge base it names, or names none, lacks nothing", () => {
  expect(findKnowledgeProblems([searching("商店")], ["default", "商店"])).toEqual([]);
  expect(findKnowledgeProblems([searching()], ["default"])).toEqual([]);
  // As macOS spells the name.
  expect(findKnowledgeProblems([searching("caf\u0065\u0301")], ["caf\u00e9"])).toEqual([]);
});

test("what an agent searches and does not find is told by its name", () => {
  expect(findKnowledgeProblems([searching("shpo")], ["shop"])).toEqual([
    'Agent "helper" searches the knowledge base "shpo", which RIGHTSEAT_KNOWLEDGE does not have. Did you mean shop? It has: shop.',
  ]);
  expect(findKnowledgeProblems([searching()], undefined)).toEqual([
    'Agent "helper" sets recallByAgent (chat), but nothing can be searched. Set RIGHTSEAT_KNOWLEDGE to a folder.',
  ]);
});

test("every agent that never searches the knowledge there is is told by its name, with what to set", () => {
  const kinds = fc.constantFrom("searches", "leaves", "misspells", "collects nothing");
  fc.assert(
    fc.property(fc.array(kinds, { minLength: 1, maxLength: 8 }), (all) => {
      const agents = all.map((kind, nth) => ({ ...agentOf(kind), name: `agent-${nth}` }));
      const told = findKnowledgeProblems(agents, ["default"]);
      const idle = agents.filter((_, nth) => all[nth] !== "searches");
      expect(told).toHaveLength(idle.length);
      for (const [nth, { name }] of idle.entries()) {
        expect(told[nth]).toContain(
          `RIGHTSEAT_KNOWLEDGE is set, but agent "${name}" never searches`,
        );
        expect(told[nth]).toContain('"resolverOptions":{"recallByAgent":true}');
      }
      expect(
        findKnowledgeProblems(
          agents.filter((one) => idle.includes(one)),
          undefined,
        ),
      ).toEqual([]);
    }),
  );
});

function agentOf(kind: string): AgentDefinition {
  if (kind === "searches") return searching();
  if (kind === "leaves") return leaving;
  if (kind === "misspells") return agent({ recallByAgent: "yes" });
  return AgentDefinition.parse({ name: "helper", commands: [{ name: "chat" }] });
}

test("knowledge without any agent is told", () => {
  expect(findKnowledgeProblems([], ["default"])).toHaveLength(1);
  expect(findKnowledgeProblems([], undefined)).toEqual([]);
});
