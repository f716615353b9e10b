import { expect, test } from "vitest";
import { findKnowledgeProblems } from "../../../src/setup/knowledge/find-knowledge-problems.ts";
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

test("an agent that leaves the search to the client lacks nothing", () => {
  expect(findKnowledgeProblems([leaving], undefined)).toEqual([]);
});

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

test("knowledge that no agent searches is told", () => {
  const [problem, ...others] = findKnowledgeProblems([leaving], ["default"]);
  expect(problem).toMatch(/^RIGHTSEAT_KNOWLEDGE is set, but no agent here sets recallByAgent/);
  expect(others).toEqual([]);
});
