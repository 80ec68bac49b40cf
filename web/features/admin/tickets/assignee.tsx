import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assignTicket, ticketAssignees, type Thread } from '#contract/tickets/endpoints.ts';
import { useAction, useCall } from '../../../core/queries.ts';
import { invalidate } from '../../../core/query-client.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { useSession } from '../../../core/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { RadioList } from '../../../ui/choices.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Avatar } from '../../../ui/people.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** Who has a ticket; another person takes it, passes it on, or releases it. */
export function Assignee({ thread }: { thread: Thread }) {
  const { t } = useTranslation('admin');
  const ownId = useSession().user.id;
  const [gives, setGives] = useState(false);
  const { id, assignee } = thread;
  const assign = useAction(assignTicket, {
    invalidates: ['/admin/'],
    onDone: ({ assignee: now }) => {
      setGives(false);
      toast.done(now === null ? t('tickets.released') : t('tickets.given', { name: now.name }));
    },
    // Another person was faster: the page then shows who.
    onRefused: () => {
      setGives(false);
      void invalidate('/admin/');
      return false;
    },
  });
  const give = (to: string | null) => assign.run({ id, from: assignee?.id ?? null, to });
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        {assignee !== null && <Avatar name={assignee.name} src={assignee.avatar} seed={assignee.id} />}
        <div className="min-w-0 flex-1">
          <h3 className="text-small text-ink-3">{t('tickets.assignee')}</h3>
          <p className="text-lead break-words">{assignee?.name ?? t('tickets.nobody')}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {assignee?.id !== ownId && (
          <Button small busy={assign.busy} onClick={() => give(ownId)}>
            {t('tickets.take')}
          </Button>
        )}
        <Button tone="quiet" small disabled={assign.busy} onClick={() => setGives(true)}>
          {t('tickets.give')}
        </Button>
        {assignee !== null && (
          <Button tone="quiet" small disabled={assign.busy} onClick={() => give(null)}>
            {t('tickets.release')}
          </Button>
        )}
      </div>
      {gives && (
        <GiveDialog thread={thread} busy={assign.busy} onGive={give} onClose={() => setGives(false)} />
      )}
    </Card>
  );
}

function GiveDialog({
  thread: { id, assignee },
  busy,
  onGive,
  onClose,
}: {
  thread: Thread;
  busy: boolean;
  onGive: (to: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['admin', 'common']);
  const read = useCall(ticketAssignees, { id }, { quiet: true });
  const [to, setTo] = useState<string | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('admin:tickets.giveTitle')}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={busy}
          onClick={() => {
            setIsMissing(to === null);
            if (to !== null) onGive(to);
          }}
        >
          {t('admin:tickets.give')}
        </Button>
      }
    >
      <QueryView query={read} skeleton={{ rows: 3 }}>
        {({ people }) => (
          <Field
            label={t('admin:tickets.assignee')}
            error={isMissing && to === null ? t('admin:tickets.giveMissing') : undefined}
          >
            <RadioList
              options={people
                .filter((person) => person.id !== assignee?.id)
                .map((person) => ({ value: person.id, label: person.name }))}
              value={to}
              onChange={setTo}
            />
          </Field>
        )}
      </QueryView>
    </Dialog>
  );
}
