import * as z from "zod";
import { fence } from "../../base/text/fence.ts";
import { oneLine } from "./one-line.ts";
import type { Fault } from "./repair-value.ts";

export const KnowledgeBaseOptions = z.looseObject({
  knowledgeBaseIds: z.array(z.string()).nullish(),
  /** True: the agent retrieves. False or absent: the client has, and `references` came along. */
  recallByAgent: z.boolean().nullish(),
});

export type KnowledgeBaseOptions = z.infer<typeof KnowledgeBaseOptions>;

/** A passage that retrieval found. Higher scores fit better. `startPos`/`endPos` are lines; their base is not specified. */
export const KnowledgeReference = z.looseObject({
  score: z.number().nullish(),
  chunk: z.string(),
  metadata: z
    .looseObject({
      fileName: z.string().nullish(),
      sourceType: z.string().nullish(),
      source: z.string().nullish(),
      startPos: z.int().nullish(),
      endPos: z.int().nullish(),
    })
    .nullish(),
});
export type KnowledgeReference = z.infer<typeof KnowledgeReference>;

export const KnowledgeBase = z.array(
  z.looseObject({
    knowledgeBaseId: z.string().nullish(),
    references: z.array(KnowledgeReference).nullish(),
  }),
);
export type KnowledgeBase = z.infer<typeof KnowledgeBase>;

/**
 * The bases that bring something, but under no name that is looked for. One with its id alone is what a client
 * sends where the agent retrieves.
 */
export function findUnreadBases(bases: readonly unknown[]): Fault[] {
  const message = `has no references; expected: references, a list of { ${Object.keys(KnowledgeReference.shape).join(", ")} }`;
  const faults: Fault[] = [];
  for (const [index, base] of bases.entries()) {
    if (typeof base !== "object" || base === null || "references" in base) continue;
    const brings = Object.entries(base).some(
      ([name, value]) =>
        name !== "knowledgeBaseId" &&
        (name in KnowledgeReference.shape || (typeof value === "object" && value !== null)),
    );
    if (brings || !("knowledgeBaseId" in base || Object.keys(base).length === 0))
      faults.push({ path: [index], message });
  }
  return faults;
}

/** All references of all bases, the best first; equal scores keep their order. */
export function referencesOf(bases: KnowledgeBase): KnowledgeReference[] {
  const references = bases.flatMap((base) => base.references ?? []);
  // Retrieval mostly sends them in order, and thousands take long to sort.
  return references.every(isInOrder) ? references : references.sort(compareScores);
}

function compareScores(left: KnowledgeReference, right: KnowledgeReference): number {
  return (right.score ?? 0) - (left.score ?? 0);
}

function isInOrder(
  reference: KnowledgeReference,
  index: number,
  all: readonly KnowledgeReference[],
): boolean {
  const before = all[index - 1];
  return before === undefined || compareScores(before, reference) <= 0;
}

/** Where a passage comes from, for a person: `/guide/dev.md:3-5`. */
export function sourceOf(reference: KnowledgeReference): string {
  const { fileName, source, startPos, endPos } = reference.metadata ?? {};
  const name = oneLine(fileName || source || "(unnamed source)");
  if (typeof startPos !== "number") return name;
  return typeof endPos === "number" && endPos !== startPos
    ? `${name}:${startPos}-${endPos}`
    : `${name}:${startPos}`;
}

/** Prints all references, the best first. */
export function printKnowledgeBase(bases: KnowledgeBase): string {
  return printReferences(referencesOf(bases));
}

/** Prints references, numbered in their order. */
export function printReferences(references: readonly KnowledgeReference[]): string {
  let text = "";
  for (const [index, reference] of references.entries()) {
    const score = typeof reference.score === "number" ? ` (score ${reference.score})` : "";
    const heading = `[${index + 1}] ${sourceOf(reference)}${score}`;
    text += `${index === 0 ? "" : "\n\n"}${heading}\n${fence(reference.chunk)}`;
  }
  return text;
}
