import type { Pool } from 'pg';

/** The lines of one person in one room that the server acknowledged, in the order in which they were sent. */
export interface SaidLines {
  roomId: string;
  senderId: string;
  /** Each text once. */
  texts: readonly string[];
}

/** A line as the database holds it. */
export interface KeptLine {
  senderId: string | null;
  text: string;
  system: string | null;
}

/** Reads all lines, by room, in their order. */
export async function keptLines(pool: Pick<Pool, 'query'>): Promise<Map<string, KeptLine[]>> {
  const { rows } = await pool.query<KeptLine & { room: string }>(
    `select room_id as room, sender_id as "senderId", text, system::text as system
     from chat_messages order by room_id, seq`,
  );
  return Map.groupBy(rows, ({ room }) => room);
}

/**
 * Compares the lines that were acknowledged with those in their rooms.
 * @returns one entry for each line that is missing, and for each sender whose lines are there twice or in
 *   another order
 */
export function compareLines(
  kept: ReadonlyMap<string, readonly KeptLine[]>,
  all: readonly SaidLines[],
): Record<'lost' | 'doubled' | 'reordered', string[]> {
  const found = { lost: [] as string[], doubled: [] as string[], reordered: [] as string[] };
  for (const { roomId, senderId, texts } of all) {
    const said = (kept.get(roomId) ?? []).flatMap((line) => (line.senderId === senderId ? [line.text] : []));
    const missing = texts.filter((text) => !said.includes(text));
    found.lost.push(...missing.map((text) => `line ${text} of ${roomId}`));
    if (new Set(said).size < said.length) found.doubled.push(`line in ${roomId}`);
    if (missing.length === 0 && texts.some((text, at) => said[at] !== text))
      found.reordered.push(`lines in ${roomId}`);
  }
  return found;
}
