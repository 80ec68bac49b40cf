import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelOrder } from '#contract/rides/endpoints.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { dropDraft } from '../../../core/drafts.ts';
import { TextButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { PaymentOfBooking } from '../../../domain/money/booking-payment.tsx';
import { InterruptedShare } from '../interrupted/interrupted-share.tsx';
import { useBringsWords } from './brings-words.ts';
import { ContactButtons } from '../../../domain/person/contact-buttons.tsx';
import { PersonLine } from '../../../domain/person/person-line.tsx';
import { PlacesLines } from '../../../domain/place/places-lines.tsx';
import { useRange } from '../../../domain/money/price-lines.tsx';
import { ReasonDialog } from '../../../domain/booking/reason-dialog.tsx';
import { StateChip } from '../../../domain/ride/state-chip.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/** A passenger of my ride, from the moment we agreed: where they board and leave, how to reach them. */
export function AboardCard({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const range = useRange();
  const brings = useBringsWords();
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 flex-1">
          <PersonLine
            person={booking.passenger}
            detail={[
              t('seats', { count: booking.seats }),
              range(booking.leastCents, booking.fareCents),
              ...brings(booking),
            ].join(' · ')}
          />
        </div>
        <StateChip label={booking.state} />
      </div>
      <PlacesLines
        from={booking.pickup}
        to={booking.dropoff}
        fromAt={booking.pickup.at}
        toAt={booking.dropoff.at}
        timeZone={ride.timeZone}
      />
      <InterruptedShare booking={booking} />
      <PaymentOfBooking
        booking={booking}
        side="driver"
        otherName={booking.passenger.name}
        timeZone={ride.timeZone}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ContactButtons
          name={booking.passenger.name}
          phone={booking.phone}
          email={booking.email}
          roomId={ride.roomId}
        />
        {booking.may.includes('cancel') && <CancelPlace ride={ride} booking={booking} />}
      </div>
    </Card>
  );
}

function CancelPlace({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const name = shortName(booking.passenger.name);
  const [open, setOpen] = useState(false);
  const action = useRideAction(cancelOrder, () => {
    dropDraft(`cancelPlace.${booking.id}`);
    setOpen(false);
    toast.done(t('place.canceled', { name }));
  });
  return (
    <>
      <TextButton tone="danger" onClick={() => setOpen(true)}>
        {t('place.cancel')}
      </TextButton>
      <ReasonDialog
        draft={`cancelPlace.${booking.id}`}
        open={open}
        onOpenChange={setOpen}
        title={t('place.cancelTitle', { name })}
        text={t('place.cancelText', { name })}
        choices={[t('cancel.why.plans'), t('cancel.why.space'), t('cancel.why.noAnswer')]}
        required
        confirmLabel={t('place.cancelConfirm')}
        busy={action.busy}
        onConfirm={(reason) => action.run({ id: ride.id, bookingId: booking.id, reason })}
      />
    </>
  );
}
