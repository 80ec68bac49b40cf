import { useTranslation } from 'react-i18next';
import type { Ride } from '#contract/rides/views.ts';
import { useFormat } from '../../../core/use-format.ts';
import { useAmount } from '../../../domain/money/price-lines.tsx';
import { shortName } from '../../../domain/person/short-name.ts';

/** One thing as it is agreed and as it is proposed. */
export interface ChangeRow {
  label: string;
  before: string;
  after: string;
}

/** The changes of a proposal for the viewer, line by line; what stays the same is left out. */
export function useChangeRows(): (ride: Ride, change: NonNullable<Ride['change']>) => ChangeRow[] {
  const { t } = useTranslation('rides');
  const format = useFormat();
  const amount = useAmount();
  return (ride, change) => {
    const own = ride.bookings.find(({ state }) => state === 'joined');
    const price =
      change.fareCents !== null && own !== undefined
        ? {
            label: t(ride.priceKind === 'perCar' ? 'price.line.upTo' : 'price.line.exact', {
              count: own.seats,
            }),
            before: amount(own.fareCents),
            after: amount(change.fareCents),
          }
        : {
            label: t(ride.priceKind === 'perCar' ? 'price.perCarLine' : 'price.perPersonLine'),
            before: amount(ride.costCents),
            after: amount(change.costCents),
          };
    const rows = [
      {
        label: t('change.time'),
        before: format.when(ride.departsAt, ride.timeZone),
        after: format.when(change.departsAt, ride.timeZone),
      },
      ...wayRows(ride, change),
      ...(change.costCents === ride.costCents ? [] : [price]),
    ];
    return rows.filter(({ before, after }) => before !== after);
  };

  function wayRows(ride: Ride, { way }: NonNullable<Ride['change']>): ChangeRow[] {
    if (way === null) return [];
    const at = (iso: string) => format.timeOfDay(iso, ride.timeZone);
    const namesOf = ({ from, via, to }: Pick<Ride, 'from' | 'via' | 'to'>) =>
      [from, ...via, to].map(({ name }) => name).join(' → ');
    const driveOf = ({ driveSeconds, driveMetres }: Pick<Ride, 'driveSeconds' | 'driveMetres'>) =>
      `${format.duration(driveSeconds)} · ${format.distance(driveMetres)}`;
    const people = ride.bookings.flatMap((booking): ChangeRow[] => {
      const of = (kind: 'pickup' | 'dropoff') =>
        way.stops.find((stop) => stop.kind === kind && stop.bookingId === booking.id)?.at;
      const [pickupAt, dropoffAt] = [of('pickup'), of('dropoff')];
      if (pickupAt === undefined || dropoffAt === undefined) return [];
      const { pickup, dropoff } = booking;
      if (ride.mine)
        return [
          {
            label: shortName(booking.passenger.name),
            before: t('change.between', { from: at(pickup.at), to: at(dropoff.at) }),
            after: t('change.between', { from: at(pickupAt), to: at(dropoffAt) }),
          },
        ];
      return [
        { label: t('change.pickup'), before: at(pickup.at), after: at(pickupAt) },
        { label: t('change.dropoff'), before: at(dropoff.at), after: at(dropoffAt) },
        {
          label: t('change.inCar'),
          before: format.between(pickup.at, dropoff.at),
          after: format.between(pickupAt, dropoffAt),
        },
      ];
    });
    return [
      { label: t('change.way'), before: namesOf(ride), after: namesOf(way) },
      ...people,
      { label: t('change.drive'), before: driveOf(ride), after: driveOf(way) },
    ];
  }
}
