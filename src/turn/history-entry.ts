/** One step of an agent, as the coding document keeps it (shared memory). Plain JSON. */
export interface HistoryEntry {
  tool: string;
  /** The model's own. */
  reason: string;
  params: Readonly<Record<string, unknown>>;
  result: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  timestamp: string;
}
