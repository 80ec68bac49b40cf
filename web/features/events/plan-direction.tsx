import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OrganisersPlan } from '#contract/events/plan.ts';
import { useFormat } from '../../core/use-format.ts';
import { Avatar } from '../../ui/people.tsx';
import { Card, List, ListRow, Section } from '../../ui/surfaces.tsx';

type Planned = OrganisersPlan['ways'][number];

/**
 * One way of the organizer's plan: who is left, how many seats are short, and each car with its people in
 * order.
 */
export function PlanDirection({ planned, timeZone }: { planned: Planned; timeZone: string }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const { rides, left, seatsShort } = planned;
  const placed = rides.reduce((sum, { passengers }) => sum + passengers.length, 0);
  if (rides.length === 0 && left.length === 0)
    return <p className="text-body text-ink-2">{t('plan.none')}</p>;
  return (
    <>
      <Card className="flex flex-col gap-1">
        <p className="figures text-heading">
          {t('plan.summary', { passengers: placed, all: placed + left.length })}
        </p>
        <p
          className={`flex items-center gap-2 text-body font-semibold ${seatsShort > 0 ? 'text-warn' : 'text-brand-ink'}`}
        >
          {seatsShort > 0 ? (
            <TriangleAlert aria-hidden className="size-5" />
          ) : (
            <CircleCheck aria-hidden className="size-5" />
          )}
          {seatsShort > 0 ? t('plan.short', { count: seatsShort }) : t('plan.enough')}
        </p>
        <p className="figures text-small text-ink-2">
          {t('plan.drive', {
            time: format.duration(planned.driveSeconds),
            detour: format.duration(planned.detourSeconds),
          })}
        </p>
      </Card>
      {left.length > 0 && (
        <Section title={t('plan.left')}>
          <List label={t('plan.left')}>
            {left.map(({ requestId, passenger, seats, place }) => (
              <ListRow
                key={requestId}
                leading={
                  <Avatar name={passenger.name} src={passenger.avatar} seed={passenger.id} size={36} />
                }
                title={passenger.name}
                detail={place.name}
                trailing={
                  <span className="figures text-small text-ink-2">{t('seatsWanted', { count: seats })}</span>
                }
              />
            ))}
          </List>
        </Section>
      )}
      {rides.map((ride) => (
        <Car key={ride.rideId} ride={ride} way={planned.way} timeZone={timeZone} />
      ))}
    </>
  );
}

function Car({
  ride,
  way,
  timeZone,
}: {
  ride: Planned['rides'][number];
  way: Planned['way'];
  timeZone: string;
}) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const { driver, place, passengers, detourSeconds } = ride;
  const name = t('plan.car', { name: driver.name });
  return (
    <Section title={name}>
      <p className="figures text-small text-ink-2">
        {t(way === 'there' ? 'plan.carFacts' : 'plan.carFactsBack', {
          place: place.name,
          time: format.timeOfDay(ride.departsAt, timeZone),
          detour: format.duration(detourSeconds),
        })}{' '}
        · {t('plan.seatsLeft', { count: ride.seatsLeft })}
      </p>
      {passengers.length === 0 ? (
        <p className="text-body text-ink-3">{t('plan.nobodyAboard')}</p>
      ) : (
        <List label={name}>
          {passengers.map(({ requestId, passenger, pickupAt, dropoffAt, place: at, seats, state }) => (
            <ListRow
              key={requestId}
              leading={<Avatar name={passenger.name} src={passenger.avatar} seed={passenger.id} size={36} />}
              title={passenger.name}
              detail={`${format.timeOfDay(way === 'there' ? pickupAt : dropoffAt, timeZone)} · ${at.name}${
                seats > 1 ? ` · ${t('seatsWanted', { count: seats })}` : ''
              }`}
              trailing={
                <span
                  className={`text-small ${state === 'joined' ? 'font-semibold text-brand-ink' : 'text-ink-2'}`}
                >
                  {t(`plan.state.${state}`)}
                </span>
              }
            />
          ))}
        </List>
      )}
    </Section>
  );
}
