import type { Ride } from '#contract/rides/views.ts';
import { place } from '#contract/units.ts';
import { localOf } from '../../core/zoned-time.ts';
import { proposalStore } from './draft.ts';

/** Starts a proposal from how the ride stands. */
export function startProposing(ride: Ride): void {
  proposalStore.write({
    of: ride.id,
    from: place.parse(ride.from),
    to: place.parse(ride.to),
    via: ride.via.map((stop) => place.parse(stop)),
    local: localOf(ride.departsAt, ride.timeZone),
    costCents: ride.costCents,
    note: '',
  });
}
