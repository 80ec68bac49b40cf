import { Check, OctagonX, Pause, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { testWebhook, type Webhook } from '#contract/connect/webhooks.ts';
import { useAction } from '../../../core/queries.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button } from '../../../ui/button.tsx';
import { StateChip } from '../../../ui/chips.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';

const steps = ['edit', 'renew', 'remove'] as const;
/** The actions on a webhook other than a test. */
export type WebhookStep = (typeof steps)[number] | 'log';

const icons = {
  on: <Check aria-hidden />,
  paused: <Pause aria-hidden />,
  stopped: <OctagonX aria-hidden />,
};
const tones = { on: 'brand', paused: 'neutral', stopped: 'danger' } as const;

/** One webhook: its state, and its actions. */
export function WebhookCard({
  webhook,
  timeZone,
  onStep,
}: {
  webhook: Webhook;
  timeZone: string;
  onStep: (step: WebhookStep) => void;
}) {
  const { t } = useTranslation('connect');
  const test = useAction(testWebhook, {
    invalidates: ['/admin/'],
    onDone: () => toast.done(t('webhooks.tested')),
  });
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <Head webhook={webhook} />
        <Facts webhook={webhook} timeZone={timeZone} />
        <div className="flex flex-wrap gap-2">
          <Button tone="quiet" small onClick={() => onStep('log')}>
            {t('webhooks.log')}
          </Button>
          <Button tone="quiet" small busy={test.busy} onClick={() => test.run({ id: webhook.id })}>
            {t('webhooks.test')}
          </Button>
          {steps.map((step) => (
            <Button key={step} tone="quiet" small onClick={() => onStep(step)}>
              {t(`webhooks.${step}`)}
            </Button>
          ))}
        </div>
      </article>
    </Card>
  );
}

function Head({ webhook: { name, state, failingSince } }: { webhook: Webhook }) {
  const { t } = useTranslation('connect');
  return (
    <div className="flex flex-wrap items-start justify-between gap-2">
      <h3 className="text-lead break-words">{name}</h3>
      <span className="flex flex-wrap gap-2">
        {failingSince !== null && state === 'on' && (
          <StateChip tone="warn" icon={<TriangleAlert aria-hidden />}>
            {t('webhooks.failing')}
          </StateChip>
        )}
        <StateChip tone={tones[state]} icon={icons[state]}>
          {t(`webhooks.states.${state}`)}
        </StateChip>
      </span>
    </div>
  );
}

function Facts({ webhook, timeZone }: { webhook: Webhook; timeZone: string }) {
  const { t } = useTranslation('connect');
  const format = useFormat();
  const { url, events, state, failingSince, lastDeliveredAt, formerSecretUntil } = webhook;
  const lines = [
    lastDeliveredAt === null
      ? t('webhooks.neverDelivered')
      : t('webhooks.delivered', { when: format.relative(lastDeliveredAt) }),
    failingSince === null
      ? ''
      : t('webhooks.failingSince', { when: format.whenInSentence(failingSince, timeZone) }),
    formerSecretUntil === null
      ? ''
      : t('webhooks.former', { when: format.whenInSentence(formerSecretUntil, timeZone) }),
    events.map((event) => t(`events.${event}`)).join(' · '),
  ];
  return (
    <div>
      <p className="text-small break-all text-ink-2">{url}</p>
      {lines.filter(Boolean).map((line) => (
        <p key={line} className="text-small break-words text-ink-3">
          {line}
        </p>
      ))}
      {state === 'stopped' && <p className="text-small text-danger">{t('webhooks.stoppedText')}</p>}
    </div>
  );
}
