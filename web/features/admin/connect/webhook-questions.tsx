import { useTranslation } from 'react-i18next';
import { removeWebhook, renewWebhookSecret, type Webhook } from '#contract/connect/webhooks.ts';
import { useAction } from '../../../core/queries.ts';
import { Confirm } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** Asks before it makes a new secret for a webhook; null shows nothing. */
export function RenewSecret({
  webhook,
  onClose,
  onMade,
}: {
  webhook: Webhook | null;
  onClose: () => void;
  onMade: (secret: string) => void;
}) {
  const { t } = useTranslation(['connect', 'common']);
  const renew = useAction(renewWebhookSecret, {
    invalidates: ['/admin/'],
    onDone: ({ secret }) => {
      onClose();
      onMade(secret);
    },
  });
  return (
    <Confirm
      open={webhook !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('connect:webhooks.renewTitle')}
      text={t('connect:webhooks.renewText')}
      confirmLabel={t('connect:webhooks.renew')}
      cancelLabel={t('common:cancel')}
      tone="brand"
      busy={renew.busy}
      onConfirm={() => webhook !== null && renew.run({ id: webhook.id })}
    />
  );
}

/** Asks before it removes a webhook; null shows nothing. */
export function RemoveWebhook({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const { t } = useTranslation(['connect', 'common']);
  const remove = useAction(removeWebhook, {
    invalidates: ['/admin/'],
    onDone: () => {
      onClose();
      toast.done(t('connect:webhooks.removed'));
    },
  });
  return (
    <Confirm
      open={webhook !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('connect:webhooks.removeTitle', { name: webhook?.name ?? '' })}
      text={t('connect:webhooks.removeText')}
      confirmLabel={t('connect:webhooks.remove')}
      cancelLabel={t('common:cancel')}
      tone="danger"
      busy={remove.busy}
      onConfirm={() => webhook !== null && remove.run({ id: webhook.id })}
    />
  );
}
