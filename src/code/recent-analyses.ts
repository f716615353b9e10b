import type { CodeAnalysis } from "./code-analysis.ts";

/** How much is kept at most. */
interface RecentLimits {
  maxTexts: number;
  /** Of all texts together. */
  maxCharacters: number;
}

interface Kept {
  rules: unknown;
  text: string;
  analysis: CodeAnalysis;
}

/** The analyses of the last few texts. One command asks for the same text several times. */
export interface RecentAnalyses {
  /** @param rules what the text is read by */
  find(rules: unknown, text: string): CodeAnalysis | undefined;
  /** The texts that were asked for longest ago make room. */
  keep(rules: unknown, text: string, analysis: CodeAnalysis): void;
}

export function createRecentAnalyses({ maxTexts, maxCharacters }: RecentLimits): RecentAnalyses {
  /** The last one that was asked for comes last. */
  const kept: Kept[] = [];
  const isFull = (): boolean =>
    kept.length > maxTexts ||
    kept.reduce((characters, { text }) => characters + text.length, 0) > maxCharacters;
  return {
    find(rules, text) {
      const at = kept.findIndex((item) => item.rules === rules && item.text === text);
      const [known] = at === -1 ? [] : kept.splice(at, 1);
      if (known !== undefined) kept.push(known);
      return known?.analysis;
    },
    keep(rules, text, analysis) {
      // It would throw out all others, and then itself.
      if (text.length > maxCharacters) return;
      kept.push({ rules, text, analysis });
      while (isFull()) kept.shift();
    },
  };
}
