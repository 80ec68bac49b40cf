import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accept, reject } from '#contract/rides/endpoints.ts';
import { dropDraft } from '../../core/drafts.ts';
import { toast } from '../../ui/toasts.tsx';
import { useRideAction } from '../ride/use-ride-action.ts';
import { AnswerBar } from './answer-bar.tsx';
import { DeclineDialog } from './decline-dialog.tsx';
import { useAgreed } from './use-agreed.ts';

/** The driver's yes or no to a passenger who asks; with the no goes a reason. */
export function AskAnswer({
  bookingId,
  name,
  mayAccept = true,
  mayReject = true,
  full = false,
}: {
  bookingId: string;
  name: string;
  mayAccept?: boolean;
  mayReject?: boolean;
  /** As tall as the one action of a page, and with the name of the person who asks. */
  full?: boolean;
}) {
  const { t } = useTranslation('rides');
  const [rejecting, setRejecting] = useState(false);
  const tellAccepted = useAgreed('driver');
  const accepting = useRideAction(accept, ({ booking: accepted }) => tellAccepted(accepted));
  const rejection = useRideAction(reject, () => {
    dropDraft(`reject.${bookingId}`);
    setRejecting(false);
    toast.done(t('ask.rejected'));
  });
  return (
    <>
      <AnswerBar
        full={full}
        accept={{
          ...(full ? { label: t('ask.acceptName', { name }) } : {}),
          busy: accepting.busy,
          disabled: !mayAccept,
          run: () => accepting.run({ bookingId }),
        }}
        decline={{ disabled: !mayReject, run: () => setRejecting(true) }}
      />
      <DeclineDialog
        draft={`reject.${bookingId}`}
        open={rejecting}
        onOpenChange={setRejecting}
        title={t('ask.rejectTitle', { name })}
        text={t('ask.rejectText', { name })}
        required
        busy={rejection.busy}
        onConfirm={(reason) => rejection.run({ bookingId, reason })}
      />
    </>
  );
}
