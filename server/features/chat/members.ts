import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/database/db.ts';
import * as store from './store.ts';

/** The members of a room at one version of it. */
export interface Members {
  ids: readonly string[];
  version: number;
  isOpen: boolean;
}

/** A process's cache of the members of rooms. */
export interface MemberMemory {
  /** The members of rooms at these versions; reads those again that have a newer one than it remembers. */
  at(versions: ReadonlyMap<string, number>): Promise<Pick<ReadonlyMap<string, Members>, 'get'>>;
  /** The members of one room, as they were at most `staleMs` ago; null where there is no such room. */
  recent(roomId: string): Promise<Members | null>;
  forget(roomId: string): void;
}

const mostRooms = 20_000;
/** Staleness allowed for typing indicators. */
const staleMs = 10_000;

export function rememberMembers(db: Db): MemberMemory {
  const known = new LRUCache<string, Members & { readAtMs: number }>({ max: mostRooms });

  async function read(roomIds: readonly string[]): Promise<void> {
    const readAtMs = performance.now();
    for (const { roomId, ...members } of await store.membersAtVersion(db, roomIds))
      known.set(roomId, { ...members, readAtMs });
  }

  return {
    async at(versions) {
      const changed = [...versions].filter(([id, version]) => (known.get(id)?.version ?? -1) < version);
      if (changed.length > 0) await read(changed.map(([id]) => id));
      return known;
    },
    async recent(roomId) {
      const held = known.get(roomId);
      if (held === undefined || performance.now() - held.readAtMs > staleMs) {
        known.delete(roomId);
        await read([roomId]);
      }
      return known.get(roomId) ?? null;
    },
    forget: (roomId) => void known.delete(roomId),
  };
}
