import { useTranslation } from 'react-i18next';
import { invitedStates, openAskStates, ridingStates } from '#contract/rides/moves.ts';
import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { AboardCard } from '../booking/aboard-card.tsx';
import { AskCard } from '../booking/ask-card.tsx';
import { onlyAnswer } from '../booking/only-answer.ts';
import { BookingCard, OwnBooking } from '../booking/own-booking.tsx';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { seatedBooking } from '#contract/rides/next-action.ts';
import { Waitlist, WaitingCard } from '../booking/waitlist.tsx';
import { useVehicleWords } from '../../../domain/ride/vehicle-words.ts';

const latestFirst = (bookings: readonly Booking[]) => [...bookings].toReversed();
const isInvitation = ({ state, awaits }: Booking) => invitedStates.includes(state) && awaits !== 'payment';
const isAsk = ({ state }: Booking) => openAskStates.includes(state);

/**
 * The people of an order: who asks, who comes along, whose car it is; for each side what that side may see.
 */
export function People({ order }: { order: Order }) {
  if (order.role === 'passenger')
    return order.mine ? <OwnRequestPeople request={order} /> : <Passenger request={order} />;
  return order.mine ? <OwnRidePeople ride={order} /> : <RidePeople ride={order} />;
}

function OwnRidePeople({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const asks = ride.bookings.filter(({ state }) => state === 'requesting');
  const paying = ride.bookings.filter(({ awaits }) => awaits === 'payment');
  const invitations = ride.bookings.filter(isInvitation);
  const aboard = ride.bookings.filter(
    ({ state, broken }) => ridingStates.includes(state) || state === 'missed' || broken !== null,
  );
  return (
    <>
      {asks.length > 0 && (
        <Section title={t('people.asks', { count: asks.length })}>
          {asks.map((booking) => (
            <AskCard
              key={booking.id}
              booking={booking}
              timeZone={ride.timeZone}
              priceKind={ride.priceKind}
              isAnsweredBelow={booking.id === onlyAnswer(ride)?.id}
            />
          ))}
        </Section>
      )}
      {paying.length > 0 && (
        <Section title={t('people.paying')}>
          {paying.map((booking) => (
            <AskCard key={booking.id} booking={booking} timeZone={ride.timeZone} priceKind={ride.priceKind} />
          ))}
        </Section>
      )}
      {aboard.length > 0 && (
        <Section title={t('people.passengers')}>
          {aboard.map((booking) => (
            <AboardCard key={booking.id} ride={ride} booking={booking} />
          ))}
        </Section>
      )}
      {invitations.length > 0 && (
        <Section title={t('people.invited')}>
          {invitations.map((booking) => (
            <AskCard key={booking.id} booking={booking} timeZone={ride.timeZone} priceKind={ride.priceKind} />
          ))}
        </Section>
      )}
      {ride.waitlist.count > 0 && <Waitlist ride={ride} />}
    </>
  );
}

/** A ride of another person: my own place in it first, then the driver and who else comes along. */
function RidePeople({ ride }: { ride: Ride }) {
  const { t } = useTranslation('rides');
  const vehicleWords = useVehicleWords();
  const own = seatedBooking(ride.bookings) ?? ride.bookings.find(isAsk) ?? ride.bookings.at(-1);
  return (
    <>
      {own ? (
        <Section title={t('people.ownPlace')}>
          <BookingCard booking={own} ride={ride} isAnsweredBelow={own.id === onlyAnswer(ride)?.id} />
        </Section>
      ) : (
        <Section title={t('people.driver')}>
          <Card>
            <PersonLine person={ride.driver} detail={ride.vehicle ? vehicleWords(ride.vehicle) : undefined} />
          </Card>
        </Section>
      )}
      {ride.passengers.length > 0 && (
        <Section title={t('people.passengers')}>
          <Card className="flex flex-col gap-4">
            {ride.passengers.map((person) => (
              <PersonLine key={person.id} person={person} size={36} />
            ))}
          </Card>
        </Section>
      )}
    </>
  );
}

/** My own request: the place I have, or all that is still open, or how the last tries ended. */
function OwnRequestPeople({ request }: { request: Request }) {
  const { t } = useTranslation('rides');
  const seated = seatedBooking(request.bookings);
  const paying = request.bookings.filter(({ awaits }) => awaits === 'payment');
  const invitations = request.bookings.filter(isInvitation);
  const asked = request.bookings.filter(({ state }) => state === 'requesting');
  const over = latestFirst(request.bookings.filter((each) => each !== seated && !isAsk(each))).slice(0, 3);
  return (
    <>
      {seated && (
        <Section title={t('people.yourRide')}>
          <OwnBooking booking={seated} />
        </Section>
      )}
      {paying.length > 0 && (
        <Section title={t('people.toPay')}>
          {paying.map((booking) => (
            <OwnBooking key={booking.id} booking={booking} />
          ))}
        </Section>
      )}
      {invitations.length > 0 && (
        <Section title={t('people.invitation')}>
          {invitations.map((booking) => (
            <OwnBooking
              key={booking.id}
              booking={booking}
              isAnsweredBelow={booking.id === onlyAnswer(request)?.id}
            />
          ))}
        </Section>
      )}
      {asked.length > 0 && (
        <Section title={t('people.waiting')}>
          {asked.map((booking) => (
            <OwnBooking key={booking.id} booking={booking} />
          ))}
        </Section>
      )}
      {request.waitlists.length > 0 && (
        <Section title={t('waitlist.title')}>
          {request.waitlists.map(({ rideId, place }) => (
            <WaitingCard key={rideId} rideId={rideId} requestId={request.id} place={place} />
          ))}
        </Section>
      )}
      {over.length > 0 && (
        <Section title={t('people.earlier')}>
          {over.map((booking) => (
            <OwnBooking key={booking.id} booking={booking} />
          ))}
        </Section>
      )}
    </>
  );
}

/** Another person's request; a driver who has asked them along sees the state of that. */
function Passenger({ request }: { request: Request }) {
  const { t } = useTranslation('rides');
  const booking = request.bookings.at(-1);
  return (
    <Section title={t('people.passenger')}>
      {booking ? (
        <AskCard
          booking={booking}
          timeZone={request.timeZone}
          // Of a ride that the page has not read, the share may still fall.
          priceKind={request.ride?.priceKind ?? 'perCar'}
        />
      ) : (
        <Card>
          <PersonLine person={request.passenger} detail={t('seats', { count: request.seats })} />
        </Card>
      )}
    </Section>
  );
}
