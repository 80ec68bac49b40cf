import { QrCode } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boardingKey } from '#contract/trips/endpoints.ts';
import { meetingStates, type BookingState } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { now } from '../../../core/clock.ts';
import { useCall } from '../../../core/queries.ts';
import { readPicture } from '../../../core/read-picture.ts';
import { useCamera } from '../../../core/use-camera.ts';
import { Button } from '../../../ui/button.tsx';
import { CameraView } from '../../../ui/camera-view.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { isUnderWay } from '../live/car.ts';
import { readBoardingCode, type BoardingKeys } from './boarding-code.ts';
import { PinField } from './pin-field.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { takeStep } from '../live/step-queue.ts';

/** A passenger who was missed may come after all. */
const proofStates: readonly BookingState[] = [...meetingStates, 'missed'];

/**
 * Fetches, while there is a connection, what checking a code takes where there is none: the key and the
 * reader.
 */
export function useReadyToScan(ride: Ride): void {
  const isDue = ride.mine && isUnderWay(ride);
  useCall(boardingKey, { id: ride.id }, { enabled: isDue, quiet: true, staleTime: Infinity });
  useEffect(() => {
    if (!isDue) return;
    // Without them now there is still the PIN.
    void Promise.all([import('qr/dom.js'), import('qr/decode.js')]).catch(() => undefined);
  }, [isDue]);
}

/**
 * The driver's two ways to take a passenger on board at once: type the PIN that they say, or scan their code.
 */
export function BoardingProof({ ride, booking }: { ride: Ride; booking: Booking }) {
  const { t } = useTranslation('rides');
  const [isScanning, setIsScanning] = useState(false);
  const key = useCall(boardingKey, { id: ride.id }, { quiet: true, staleTime: Infinity });
  return (
    <div className="flex items-start gap-2">
      <PinField booking={booking} />
      {/* As tall as the field, below the room of the field's label. */}
      <Button
        tone="quiet"
        className="mt-7 min-h-14"
        icon={<QrCode aria-hidden className="size-5" />}
        onClick={() => setIsScanning(true)}
      >
        {t('board.scan')}
      </Button>
      <ScanDialog ride={ride} boardingKey={key.data} open={isScanning} onClose={() => setIsScanning(false)} />
    </div>
  );
}

function ScanDialog({
  ride,
  boardingKey: key,
  open,
  onClose,
}: {
  ride: Ride;
  boardingKey: BoardingKeys | undefined;
  open: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation(['rides', 'common']);
  return (
    <Dialog
      open={open}
      onOpenChange={(shown) => !shown && onClose()}
      title={t('rides:board.scanTitle')}
      description={t('rides:board.scanText')}
      closeLabel={t('common:close')}
    >
      {open && <BoardingScanner ride={ride} boardingKey={key} onDone={onClose} />}
    </Dialog>
  );
}

function BoardingScanner({
  ride,
  boardingKey: key,
  onDone,
}: {
  ride: Ride;
  boardingKey: BoardingKeys | undefined;
  onDone: () => void;
}) {
  const { t } = useTranslation('rides');
  const video = useRef<HTMLVideoElement>(null);
  const [trouble, setTrouble] = useState<'foreign' | 'ended' | 'otherRide' | null>(null);

  const read = async (text: string) => {
    const found = await readBoardingCode(text, key, now());
    if (found.kind === 'foreign' || found.kind === 'ended') return setTrouble(found.kind);
    const booking = ride.bookings.find(
      ({ id, state }) => id === found.bookingId && proofStates.includes(state),
    );
    if (booking === undefined) return setTrouble('otherRide');
    takeStep(
      'pickUp',
      { bookingId: booking.id, code: text },
      { rideId: ride.id, person: shortName(booking.passenger.name) },
    );
    return onDone();
  };
  const newest = useRef(read);
  useEffect(() => {
    newest.current = read;
  });
  const onText = useCallback((text: string) => void newest.current(text), []);
  const camera = useCamera(video, true, onText);
  const onPicture = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await readPicture(file);
    if (text === null) setTrouble('foreign');
    else onText(text);
  };
  const isRunning = camera === 'starting' || camera === 'watching';
  return (
    <div className="flex flex-col gap-3">
      <CameraView
        small
        video={video}
        label={t('board.camera')}
        hint={t('board.hint')}
        missing={isRunning ? null : t(`board.camera${camera === 'denied' ? 'Denied' : 'Missing'}`)}
        trouble={trouble === null ? '' : t(`board.trouble.${trouble}`)}
        pictureLabel={t('board.picture')}
        onPicture={(file) => void onPicture(file)}
      />
    </div>
  );
}
