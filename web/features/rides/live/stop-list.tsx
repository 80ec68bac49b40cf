import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CarPosition } from '#contract/trips/endpoints.ts';
import { endedRideStates, undepartedRideStates } from '#contract/rides/moves.ts';
import type { Ride } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { classes } from '../../../ui/classes.ts';
import { Section } from '../../../ui/surfaces.tsx';
import { arrivalAt, arrivalAtVia } from './car.ts';

type Stop = Ride['stops'][number];

function isDone(ride: Ride, stop: Stop): boolean {
  const booking = ride.bookings.find(({ id }) => id === stop.bookingId);
  const state = booking?.state;
  switch (stop.kind) {
    case 'start':
      return !undepartedRideStates.includes(ride.state);
    case 'via':
      return stop.passed;
    case 'pickup':
      // A passenger who was on board of a ride that ended on the way has a share of it.
      return state === 'picked' || state === 'finished' || (booking?.broken ?? null) !== null;
    case 'dropoff':
      return state === 'finished';
    case 'end':
      return ride.state === 'finished';
  }
}

/** The stops of a ride in their order with what is behind and what comes next. */
export function StopList({ ride, car }: { ride: Ride; car: CarPosition | null }) {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const done = ride.stops.map((stop) => isDone(ride, stop));
  const next = endedRideStates.includes(ride.state) ? -1 : done.indexOf(false);
  const expected = (stop: Stop) => {
    const at =
      stop.kind === 'via' ? arrivalAtVia(car, ride, stop) : arrivalAt(car, stop.kind, stop.bookingId);
    return at === undefined ? undefined : format.timeOfDay(at, ride.timeZone);
  };
  return (
    <Section title={t('stops.title')}>
      <ol className="flex flex-col">
        {ride.stops.map((stop, index) => (
          <li
            key={`${stop.kind} ${stop.bookingId ?? stop.at}`}
            aria-current={index === next ? 'step' : undefined}
            className={classes('relative flex gap-3', index < ride.stops.length - 1 && 'pb-4')}
          >
            {index < ride.stops.length - 1 && (
              <span
                aria-hidden
                className={classes(
                  'absolute top-6 -bottom-0.5 left-[11px] w-0.5',
                  done[index] === true ? 'bg-brand' : 'bg-line-2',
                )}
              />
            )}
            <span
              aria-hidden
              className={classes(
                'relative grid size-6 shrink-0 place-items-center rounded-full',
                done[index] === true
                  ? 'bg-brand text-ink'
                  : index === next
                    ? 'border-[3px] border-brand-ink bg-surface'
                    : 'border-2 border-line-2 bg-surface',
              )}
            >
              {done[index] === true && <Check className="size-4" strokeWidth={3} />}
            </span>
            <span className="min-w-0 flex-1">
              <span className={classes('block text-body', index === next && 'font-semibold')}>
                {done[index] === true && <span className="sr-only">{t('stops.done')} </span>}
                {stop.bookingId !== null && !ride.mine
                  ? t(`stops.own.${stop.kind === 'pickup' ? 'pickup' : 'dropoff'}`)
                  : t(`stops.${stop.kind}`, { name: stop.passengerName })}
              </span>
              <span className="block text-small break-words text-ink-3">{stop.place.name}</span>
            </span>
            <StopTime
              plannedAt={format.timeOfDay(stop.at, ride.timeZone)}
              expectedAt={done[index] === true ? undefined : expected(stop)}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/**
 * The agreed time of a stop and, where the car is known and will not keep it to the minute, the expected one.
 */
function StopTime({ plannedAt, expectedAt }: { plannedAt: string; expectedAt: string | undefined }) {
  const { t } = useTranslation('rides');
  const differs = expectedAt !== undefined && expectedAt !== plannedAt;
  return (
    <span className="figures shrink-0 text-right text-body text-ink-2">
      {differs && (
        <span className="block font-semibold text-ink">
          <span className="sr-only">{t('step.expected')} </span>
          {expectedAt}
        </span>
      )}
      <span className={differs ? 'block text-small text-ink-3' : 'block'}>
        {differs ? t('step.plannedAt', { time: plannedAt }) : plannedAt}
      </span>
    </span>
  );
}
