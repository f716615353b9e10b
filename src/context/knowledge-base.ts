import * as z from "zod";
import { fence } from "./fence.ts";
import { oneLine } from "./one-line.ts";

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

/** All references of all bases, the best first; equal scores keep their order. */
export function referencesOf(bases: KnowledgeBase): KnowledgeReference[] {
  return bases
    .flatMap((base) => base.references ?? [])
    .sort((left, right) => (right.score ?? 0) - (left.score ?? 0));
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

export function renderKnowledgeBase(bases: KnowledgeBase): string {
  return referencesOf(bases)
    .map((reference, index) => {
      const score = typeof reference.score === "number" ? ` (score ${reference.score})` : "";
      return `[${index + 1}] ${sourceOf(reference)}${score}\n${fence(reference.chunk)}`;
    })
    .join("\n\n");
}
