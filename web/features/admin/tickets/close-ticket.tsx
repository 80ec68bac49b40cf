import { useTranslation } from 'react-i18next';
import { closeTicket, type TicketKind } from '#contract/tickets/endpoints.ts';
import { reasonLength } from '#contract/units.ts';
import { useTextDraft } from '../../../core/drafts.ts';
import { useAction } from '../../../core/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** Closes a ticket; a report with what came of it. */
export function CloseTicket({ id, kind, onClose }: { id: string; kind: TicketKind; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [outcome, setOutcome, forgetDraft] = useTextDraft(`outcome.${id}`);
  const close = useAction(closeTicket, {
    invalidates: ['/admin/'],
    onDone: () => {
      forgetDraft();
      onClose();
      toast.done(t('admin:tickets.closed'));
    },
    onRefused: (refused) => refused.fields['outcome'] !== undefined,
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:tickets.closeTitle')}
      description={t('admin:tickets.closeText')}
      closeLabel={t('common:close')}
      action={
        <Button full busy={close.busy} onClick={() => close.run({ id, outcome })}>
          {t('admin:tickets.close')}
        </Button>
      }
    >
      <Field
        label={t('admin:tickets.outcome')}
        {...(kind === 'feedback' ? { note: t('common:optional') } : {})}
        error={close.fields['outcome']}
      >
        <TextArea
          value={outcome}
          maxLength={reasonLength}
          onChange={(event) => {
            setOutcome(event.target.value);
            close.reset();
          }}
        />
      </Field>
    </Dialog>
  );
}
