import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveWebhook, webhookEvents, type Webhook, type WebhookEvent } from '#contract/connect/webhooks.ts';
import { useAction } from '../../../core/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { toast } from '../../../ui/toasts.tsx';

/**
 * The form for a new webhook (null) or an existing one; a new one returns its secret. Use the webhook as
 * React key.
 */
export function SaveWebhook({
  webhook,
  open,
  onClose,
  onSaved,
}: {
  webhook: Webhook | null;
  open: boolean;
  onClose: () => void;
  onSaved: (secret: string | null) => void;
}) {
  const { t } = useTranslation(['connect', 'common']);
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? []);
  const [isOn, setIsOn] = useState(true);
  const save = useAction(saveWebhook, {
    invalidates: ['/admin/'],
    onDone: ({ secret }) => {
      if (secret === null) toast.done(t('connect:webhooks.changed'));
      onSaved(secret);
    },
    onRefused: ({ fields }) => Object.keys(fields).length > 0,
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t(webhook === null ? 'connect:webhooks.addTitle' : 'connect:webhooks.editTitle')}
      description={t('connect:webhooks.saveText')}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={save.busy}
          onClick={() =>
            save.run({ id: webhook?.id ?? null, name, url: url.trim(), events: [...events], isOn })
          }
        >
          {t('connect:webhooks.save')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('connect:webhooks.name')} error={save.fields['name']}>
          <TextInput maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field
          label={t('connect:webhooks.url')}
          hint={t('connect:webhooks.urlHint')}
          error={save.fields['url']}
        >
          <TextInput
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={500}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </Field>
        <EventBoxes chosen={events} error={save.fields['events']} onChange={setEvents} />
        {webhook !== null && <OnBox isOn={isOn} onChange={setIsOn} />}
      </div>
    </Dialog>
  );
}

function OnBox({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation('connect');
  const label = t('webhooks.isOn');
  return <Checkbox label={label} fullLabel={label} checked={isOn} onChange={onChange} />;
}

function EventBoxes({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly WebhookEvent[];
  error: string | undefined;
  onChange: (chosen: readonly WebhookEvent[]) => void;
}) {
  const { t } = useTranslation('connect');
  return (
    <fieldset aria-describedby={error === undefined ? undefined : 'events-error'}>
      <legend className="text-small font-semibold">{t('webhooks.events')}</legend>
      {error !== undefined && (
        <p id="events-error" role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
      <div className="grid grid-cols-1 sm:grid-cols-2">
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={t(`events.${event}`)}
            fullLabel={t(`events.${event}`)}
            checked={chosen.includes(event)}
            onChange={(on) => onChange(on ? [...chosen, event] : chosen.filter((each) => each !== event))}
          />
        ))}
      </div>
    </fieldset>
  );
}
