import { useTranslation } from 'react-i18next';
import { sayTookPlace } from '#contract/rides/endpoints.ts';
import type { Booking, Order } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/**
 * After an outage on the day of a ride: one question a booking, whether it took place. Nothing where no one
 * is asked.
 */
export function UnclearRide({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  const asked = order.bookings.filter(({ unclear }) => unclear !== null);
  if (asked.length === 0) return null;
  return (
    <Section title={t('tookPlace.title')}>
      {asked.map((booking) => (
        <Question key={booking.id} order={order} booking={booking} />
      ))}
    </Section>
  );
}

function Question({ order, booking }: { order: Order; booking: Booking }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const action = useRideAction(sayTookPlace);
  const asDriver = order.role === 'driver' && order.mine;
  const driver = order.role === 'driver' ? order.driver : (order.ride?.driver ?? null);
  const name = shortName(asDriver ? booking.passenger.name : (driver?.name ?? ''));
  const { answerBy, mine } = booking.unclear!;
  const say = (tookPlace: boolean) => action.run({ bookingId: booking.id, tookPlace });
  return (
    <Card className="flex flex-col gap-3">
      <p className="text-body font-semibold">
        {t(asDriver ? 'tookPlace.driver' : 'tookPlace.passenger', { name })}
      </p>
      <p className="text-small text-ink-2">
        {mine === null
          ? t('tookPlace.text', { when: format.whenInSentence(answerBy, order.timeZone) })
          : t(mine ? 'tookPlace.saidYes' : 'tookPlace.saidNo', { name })}
      </p>
      <div className="flex gap-2">
        {([true, false] as const).map((answer) => (
          <Button
            key={String(answer)}
            full
            small
            tone={mine === null || mine === answer ? 'primary' : 'quiet'}
            aria-pressed={mine === answer}
            busy={action.busy}
            onClick={() => say(answer)}
          >
            {t(answer ? 'tookPlace.yes' : 'tookPlace.no')}
          </Button>
        ))}
      </div>
    </Card>
  );
}
