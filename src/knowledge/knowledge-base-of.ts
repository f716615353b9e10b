/** The knowledge base of the files that stand in no folder. */
const defaultKnowledgeBase = "default";

/** The id of the knowledge base that a file belongs to: the first folder of its name. */
export function knowledgeBaseOf(fileName: string): string {
  const end = fileName.indexOf("/");
  // macOS spells names another way (NFD) than requests do.
  return end === -1 ? defaultKnowledgeBase : fileName.slice(0, end).normalize("NFC");
}
