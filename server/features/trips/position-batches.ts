import { positionPauseMs } from '#contract/trips/endpoints.ts';
import { createBatches, type Batches } from '../../platform/database/batches.ts';
import { hasWaitedTooLong, isConnectionLost } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import * as store from './store.ts';

/** Positions that arrive within this time become one statement. */
const everyMs = 20;
const most = 400;

export type PositionBatches = Batches<store.PositionRow, store.SavedPosition | null>;

/** Positions of one moment are one statement; the outcome is null for a ride that is not the driver's. */
export const createPositionBatches = ({ kept }: Pick<Platform, 'kept'>): PositionBatches =>
  createBatches({
    everyMs,
    most,
    async write(rows) {
      // The first of a ride counts: a second one within the batch came too soon.
      const first = [...new Map(rows.toReversed().map((row) => [nameOf(row), row])).values()];
      const saved = await kept.run<store.SavedPosition & Record<string, unknown>>(
        store.savePositions(first, positionPauseMs),
      );
      const outcomes = new Map(saved.map((each) => [first[each.n - 1]!, each]));
      return rows.map((row) => {
        const own = first.find((each) => nameOf(each) === nameOf(row))!;
        const outcome = outcomes.get(own) ?? null;
        return outcome === null || own === row ? outcome : { ...outcome, isSaved: false };
      });
    },
    isOneAtFault: (error) => !isConnectionLost(error) && !hasWaitedTooLong(error),
  });

const nameOf = ({ rideId, driverId }: store.PositionRow): string => `${rideId} ${driverId}`;
