/** The words of a text, for lists that are long and dull. */
export const words = ({ raw: [text = ""] }: TemplateStringsArray): string[] =>
  text.trim().split(/\s+/);
