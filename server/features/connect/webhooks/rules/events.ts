import type { WebhookEvent } from '#contract/connect/webhooks.ts';
import type { Concerns, SignalOf } from '../../../../platform/events/listeners.ts';
import { moveSource } from '../../../../platform/events/signals.ts';

/** The signals that lead to events. */
export type EventSignal =
  | 'ride.moved'
  | 'orders.expired'
  | 'order.edited'
  | 'booking.moved'
  | 'person.joined'
  | 'user.suspended'
  | 'report.filed'
  | 'license.sent';

export interface OutgoingEvent {
  event: WebhookEvent;
  /** Identifies the event, so that a signal read twice leads to one event. */
  source: string;
  at: Date;
  /** Ids and states only: a receiver reads the details with an API key. */
  data: Readonly<Record<string, string>>;
}

const rideEvents: Readonly<Record<string, WebhookEvent>> = {
  finished: 'ride.finished',
  cancel: 'ride.canceled',
  expired: 'ride.canceled',
};

const bookingEvents: Readonly<Record<string, WebhookEvent>> = {
  requesting: 'booking.requested',
  inviting: 'booking.invited',
  joined: 'booking.accepted',
  rejected: 'booking.declined',
  cancel: 'booking.canceled',
  expired: 'booking.canceled',
  missed: 'booking.canceled',
  finished: 'booking.finished',
};

const rideEventOf = ({ move, to }: { move: string; to: string }): WebhookEvent | undefined =>
  move === 'publish' ? 'ride.published' : rideEvents[to];
/** A seat offered to the first person on the waitlist counts as an invitation. */
const bookingEventOf = ({ move, to }: { move: string; to: string }): WebhookEvent | undefined =>
  move === 'offer' ? 'booking.invited' : bookingEvents[to];

/** Which signals lead to an event. */
export const eventConcerns: Concerns<EventSignal> = {
  'ride.moved': (payload) => rideEventOf(payload) !== undefined,
  'orders.expired': ({ kind }) => kind === 'ride',
  'order.edited': ({ kind }) => kind === 'ride',
  'booking.moved': (payload) => bookingEventOf(payload) !== undefined,
  'person.joined': true,
  'user.suspended': true,
  'report.filed': true,
  'license.sent': true,
};

/** The events of a signal: one, several if it covers several things, or none. */
export function eventsOf(signal: SignalOf<EventSignal>): OutgoingEvent[] {
  const { at } = signal;
  const source = `signal:${signal.id}`;
  const tell = (
    event: WebhookEvent | undefined,
    data: OutgoingEvent['data'],
    named = source,
  ): OutgoingEvent[] => (event === undefined ? [] : [{ event, source: named, at, data }]);
  switch (signal.name) {
    case 'ride.moved': {
      const { rideId, driverId, to } = signal.payload;
      return tell(rideEventOf(signal.payload), { rideId, driverId, state: to });
    }
    case 'orders.expired':
      return signal.payload.kind !== 'ride'
        ? []
        : signal.payload.orders.flatMap(({ id, ownerId }) =>
            tell('ride.canceled', { rideId: id, driverId: ownerId, state: 'expired' }, `${source}:${id}`),
          );
    case 'order.edited': {
      const { kind, orderId, ownerId, what } = signal.payload;
      return kind === 'ride' ? tell('ride.changed', { rideId: orderId, driverId: ownerId, what }) : [];
    }
    case 'booking.moved': {
      const { bookingId, rideId, requestId, driverId, passengerId, to } = signal.payload;
      const ids = { bookingId, rideId, requestId, driverId, passengerId };
      return tell(bookingEventOf(signal.payload), { ...ids, state: to }, moveSource(signal));
    }
    case 'person.joined':
      return tell('person.joined', { personId: signal.payload.userId });
    case 'user.suspended':
      return tell('person.suspended', { personId: signal.payload.userId });
    case 'report.filed':
      return tell('report.filed', { reportId: signal.payload.reportId });
    case 'license.sent':
      return tell('license.sent', { licenseId: signal.payload.licenseId, personId: signal.payload.userId });
  }
}

/** The request body of an event. */
export const bodyOf = ({
  event,
  at,
  data,
}: Omit<OutgoingEvent, 'source' | 'event'> & { event: string }): string =>
  JSON.stringify({ type: event, timestamp: at.toISOString(), data });
