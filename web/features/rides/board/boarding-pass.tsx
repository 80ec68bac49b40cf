import { QrCode as QrCodeIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boardingPass } from '#contract/trips/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { awaitedStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { useNow } from '../../../core/clock.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView } from '../../../core/query-view.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { isLateBoarding } from './late-boarding.tsx';
import { shortName } from '../../../domain/person/short-name.ts';

/** A fresh code is fetched well before the shown one ends. */
const renewMs = 4 * 60_000;

/** What a passenger says or shows at the car: the PIN, and a code that renews itself. */
export function BoardingPass({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const isDue = awaitedStates.includes(booking.state) || isLateBoarding(ride, booking);
  const pass = useCall(
    boardingPass,
    { bookingId: booking.id },
    { enabled: isDue, quiet: true, staleTime: renewMs, refetchInterval: renewMs },
  );
  const now = useNow(15_000);
  if (!isDue) return null;
  // Without its PIN a passenger cannot prove who they are: a pass that is missing is said, never left out.
  return (
    <PartView query={pass} failed={t('pass.failed')}>
      {(shown) => <Pass pass={shown} isOver={Date.parse(shown.endsAt) <= now} driver={ride.driver.name} />}
    </PartView>
  );
}

function Pass({
  pass,
  isOver,
  driver,
}: {
  pass: OutputOf<typeof boardingPass>;
  isOver: boolean;
  driver: string;
}) {
  const { t } = useTranslation(['rides', 'common']);
  const [open, setOpen] = useState(false);
  const name = shortName(driver);
  return (
    <div className="flex items-center justify-between gap-3 rounded-control bg-brand-soft px-4 py-3">
      <p>
        <span className="block text-small text-ink-2">{t('rides:pass.pin', { name })}</span>
        <span className="figures block text-title font-semibold tracking-[0.25em]">{pass.pin}</span>
      </p>
      <Button
        small
        tone="quiet"
        icon={<QrCodeIcon aria-hidden className="size-5" />}
        onClick={() => setOpen(true)}
      >
        {t('rides:pass.show')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('rides:pass.title')}
        description={isOver ? t('rides:pass.over', { pin: pass.pin }) : t('rides:pass.text', { name })}
        closeLabel={t('common:close')}
      >
        {!isOver && (
          <div className="flex justify-center py-2">
            <QrCode value={pass.code} size={260} marginSize={3} title={t('rides:pass.name')} />
          </div>
        )}
      </Dialog>
    </div>
  );
}
