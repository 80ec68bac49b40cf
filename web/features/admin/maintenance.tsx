import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeMaintenance, type readSettings } from '#contract/admin/operations.ts';
import type { OutputOf } from '#contract/define.ts';
import { useAction } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { Banner, Card, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useMay } from './use-may.ts';

type State = OutputOf<typeof readSettings>['maintenance'];

/** The limit of the call. */
const longestMessage = 500;

/** Shows whether maintenance is on, and turns it on or off. */
export function Maintenance({ state, timeZone }: { state: State; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const change = useAction(changeMaintenance, {
    invalidates: ['/admin/'],
    onDone: ({ maintenance }) => {
      setAsks(false);
      toast.done(t(maintenance === null ? 'settings.opened' : 'settings.closed'));
    },
  });
  return (
    <Section title={t('settings.maintenance')}>
      <Card className="flex flex-col items-start gap-3">
        {state === null ? (
          <p className="text-body text-ink-2">{t('settings.open')}</p>
        ) : (
          <div className="w-full">
            <Banner kind="warn">
              {t('settings.closedSince', { when: format.whenInSentence(state.since, timeZone) })}
              {state.message !== '' && <span className="block whitespace-pre-wrap">{state.message}</span>}
            </Banner>
          </div>
        )}
        {may('maintenance.change') && state === null && (
          <Button tone="quiet" small onClick={() => setAsks(true)}>
            {t('settings.close')}
          </Button>
        )}
        {may('maintenance.change') && state !== null && (
          <Button small busy={change.busy} onClick={() => change.run({ isOn: false })}>
            {t('settings.reopen')}
          </Button>
        )}
      </Card>
      <CloseDialog
        open={asks}
        onOpenChange={setAsks}
        busy={change.busy}
        onClose={(message) => change.run({ isOn: true, message })}
      />
    </Section>
  );
}

function CloseDialog({
  open,
  onOpenChange,
  busy,
  onClose,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  onClose: (message: string) => void;
}) {
  const { t } = useTranslation(['admin', 'common']);
  const [message, setMessage] = useState('');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('admin:settings.closeTitle')}
      description={t('admin:settings.closeText')}
      closeLabel={t('common:close')}
      action={
        <Button full tone="danger" busy={busy} onClick={() => onClose(message)}>
          {t('admin:settings.close')}
        </Button>
      }
    >
      <Field
        label={t('admin:settings.message')}
        note={t('common:optional')}
        hint={t('admin:settings.messageHint')}
      >
        <TextArea
          rows={3}
          maxLength={longestMessage}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
