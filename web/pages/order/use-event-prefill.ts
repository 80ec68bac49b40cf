import { useEffect } from 'react';
import { eventDetail } from '#contract/events/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { localOf } from '../../core/zoned-time.ts';
import type { PlanValues } from '../../features/planning/plan-values.ts';

const leadMs = 60 * 60_000;

/**
 * A plan that begins at an event's page goes there, in time; done once, so that it can be changed afterwards.
 * @param known the event of the plan so far.
 */
export function useEventPrefill(
  eventId: string | null,
  known: string | null,
  change: (part: Pick<PlanValues, 'eventId' | 'to' | 'local'>) => void,
): void {
  const { data: event } = useCall(
    eventDetail,
    { id: eventId ?? '' },
    { enabled: eventId !== null, quiet: false },
  );
  useEffect(() => {
    if (!event || event.id === known) return;
    change({
      eventId: event.id,
      to: event.place,
      local: localOf(Date.parse(event.startsAt) - leadMs, event.timeZone),
    });
    // Only the arrival of the event itself fills the plan in, not its removal from it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [event?.id]);
}
