import type { Platform } from '../../platform/platform.ts';
import { createBoardingKeys, type BoardingKeys } from './boarding-key.ts';
import { createPositionBatches, type PositionBatches } from './position-batches.ts';

/** State of this feature that lives as long as the process. */
export interface TripsState {
  boardingKeys: BoardingKeys;
  positions: PositionBatches;
}

export const openTrips = (platform: Platform): TripsState => ({
  boardingKeys: createBoardingKeys(platform),
  positions: createPositionBatches(platform),
});
