import { Link } from '@tanstack/react-router';
import { Map as MapIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { invite } from '#contract/rides/endpoints.ts';
import type { Candidate } from '#contract/rides/views.ts';
import { dropDraft } from '../../core/drafts.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { BookingAnswer } from './booking-answer.tsx';
import { useJoinWords } from './join-words.ts';
import { askDraft, useAskToJoin } from '../../domain/booking/use-ask-to-join.ts';
import { useRideAction } from '../../domain/ride/use-ride-action.ts';

/** What I can do about a person who fits: ask or invite them, or answer what is already open between us. */
export function CandidateActions({
  candidate,
  rideId,
  requestId,
  side,
  onMap = false,
}: {
  candidate: Candidate;
  rideId: string;
  requestId: string;
  /** Which side I am on. */
  side: 'driver' | 'passenger';
  /** The map is already shown: no way to it is offered. */
  onMap?: boolean;
}) {
  const { t } = useTranslation('planning');
  const actions =
    candidate.booking === null ? (
      side === 'passenger' ? (
        <Ask candidate={candidate} requestId={requestId} full={onMap} />
      ) : (
        <Invite candidate={candidate} rideId={rideId} requestId={requestId} full={onMap} />
      )
    ) : (
      <BookingAnswer
        booking={candidate.booking}
        side={side}
        timeZone={candidate.ride.timeZone}
        full={onMap}
      />
    );
  if (onMap) return actions;
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <Link
        to="/pages/order/matchmap"
        search={{ rideId, requestId }}
        className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-brand-ink underline-offset-4 hover:underline"
      >
        <MapIcon aria-hidden className="size-5" />
        {t('match.map')}
      </Link>
      {actions}
    </span>
  );
}

function Ask({
  candidate,
  requestId,
  full,
}: {
  candidate: Candidate;
  requestId: string;
  full: boolean;
}): ReactNode {
  const { t } = useTranslation('planning');
  const [open, setOpen] = useState(false);
  const words = useJoinWords()(candidate);
  const { busy, ask } = useAskToJoin();
  const askAndClose = async (message: string) => {
    if ((await ask(candidate, requestId, message)) !== null) setOpen(false);
  };
  return (
    <>
      <Button tone="brand" small={!full} full={full} onClick={() => setOpen(true)}>
        {t(candidate.ride.instant ? 'ask.joinNow' : 'ask.button')}
      </Button>
      <AskDialog
        draft={askDraft(candidate)}
        open={open}
        onOpenChange={setOpen}
        title={words.title}
        text={
          <>
            <span className="block">{words.text}</span>
            <span className="block pt-2 text-small empty:hidden">{words.hold}</span>
          </>
        }
        confirmLabel={words.button}
        busy={busy}
        onConfirm={(message) => void askAndClose(message)}
      />
    </>
  );
}

function Invite({
  candidate,
  rideId,
  requestId,
  full,
}: {
  candidate: Candidate;
  rideId: string;
  requestId: string;
  full: boolean;
}): ReactNode {
  const { t } = useTranslation(['planning', 'common']);
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const name = candidate.request?.passenger.name || t('common:guest');
  const draft = `invite.${requestId}`;
  const inviting = useRideAction(invite, () => {
    dropDraft(draft);
    setOpen(false);
    toast.done(t('planning:invite.invited', { name }));
  });
  return (
    <>
      <Button tone="brand" small={!full} full={full} onClick={() => setOpen(true)}>
        {t('planning:invite.button')}
      </Button>
      <AskDialog
        draft={draft}
        open={open}
        onOpenChange={setOpen}
        title={t('planning:invite.title', { name })}
        text={t(candidate.fareCents === 0 ? 'planning:invite.textFree' : 'planning:invite.text', {
          name,
          detour: format.duration(candidate.detourSeconds),
          amount: format.money(candidate.fareCents),
        })}
        confirmLabel={t('planning:invite.button')}
        busy={inviting.busy}
        onConfirm={(message) => inviting.run({ rideId, requestId, message })}
      />
    </>
  );
}
