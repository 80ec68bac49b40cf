import type { Change } from '#contract/rides/views.ts';
import { instantOf, localOf } from '../../core/zoned-time.ts';
import type { PlanValues } from './plan-values.ts';
import { walkChoices } from './walks.ts';

const minuteMs = 60_000;

/** What changes in a passenger's draft when they make a change that lets a ride fit. */
export function changedDraft(draft: PlanValues, change: Change, zone: string | null): Partial<PlanValues> {
  switch (change.kind) {
    case 'offerMore':
      return { offerCents: (draft.offerCents ?? 0) + change.cents };
    case 'fewerSeats':
      return { seats: draft.seats - change.seats };
    case 'leaveLater':
    case 'leaveEarlier': {
      const at = zone === null ? null : instantOf(draft.local, zone);
      const minutes = change.kind === 'leaveLater' ? change.minutes : -change.minutes;
      return zone === null || at === null
        ? {}
        : { local: localOf(Date.parse(at) + minutes * minuteMs, zone) };
    }
    case 'walkMore': {
      const needed = draft.walkMetres + change.metres;
      return { walkMetres: walkChoices.find((metres) => metres >= needed) ?? needed };
    }
    case 'moreDetour':
      // The driver's to make, never a passenger's.
      return {};
  }
}
