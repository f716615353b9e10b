import type { CodeAnalysis } from "./code-analysis.ts";

/** How many analyses are kept, and of how much text together. */
export interface RecentLimits {
  maxTexts: number;
  maxKeptCharacters: number;
}

/** The analyses of the last few texts. One command asks for the same text several times. */
export function createRecentAnalyses({ maxTexts, maxKeptCharacters }: RecentLimits) {
  /** The last one that was asked for comes last. */
  const kept: { rules: unknown; text: string; analysis: CodeAnalysis }[] = [];
  const isFull = (): boolean =>
    kept.length > maxTexts ||
    kept.reduce((characters, { text }) => characters + text.length, 0) > maxKeptCharacters;
  return {
    /** @param rules what the text is read by */
    find(rules: unknown, text: string): CodeAnalysis | undefined {
      const at = kept.findIndex((item) => item.rules === rules && item.text === text);
      const [known] = at === -1 ? [] : kept.splice(at, 1);
      if (known !== undefined) kept.push(known);
      return known?.analysis;
    },
    /** The texts that were asked for longest ago make room. */
    keep(rules: unknown, text: string, analysis: CodeAnalysis): void {
      // It would throw out all others, and then itself.
      if (text.length > maxKeptCharacters) return;
      kept.push({ rules, text, analysis });
      while (isFull()) kept.shift();
    },
  };
}
