import type { CodeAnalysis } from "./code-analysis.ts";

/** How much is kept at most. */
interface RecentLimits {
  mostTexts: number;
  /** Of all texts together. */
  mostCharacters: number;
}

interface Kept {
  language: unknown;
  text: string;
  analysis: Promise<CodeAnalysis>;
}

/** The analyses of the last few texts. One command asks for the same text several times. */
export interface RecentAnalyses {
  /**
   * What is kept of the text in this language, or else what `analyze` gives, which is kept then. The
   * texts that were asked for longest ago make room.
   */
  recall(
    language: unknown,
    text: string,
    analyze: () => Promise<CodeAnalysis>,
  ): Promise<CodeAnalysis>;
}

export function createRecentAnalyses({ mostTexts, mostCharacters }: RecentLimits): RecentAnalyses {
  /** The last one that was asked for comes last. */
  const kept: Kept[] = [];
  const isFull = (): boolean =>
    kept.length > mostTexts ||
    kept.reduce((characters, { text }) => characters + text.length, 0) > mostCharacters;
  return {
    recall(language, text, analyze) {
      // It would throw out all others, and then itself.
      if (text.length > mostCharacters) return analyze();
      const at = kept.findIndex((item) => item.language === language && item.text === text);
      const [known] = at === -1 ? [] : kept.splice(at, 1);
      const recent = known ?? { language, text, analysis: analyze() };
      kept.push(recent);
      while (isFull()) kept.shift();
      return recent.analysis;
    },
  };
}
