import { Webhook as Hook } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listWebhooks, type Webhook } from '#contract/connect/webhooks.ts';
import { useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { TextButton } from '../../../ui/button.tsx';
import { EmptyState, Section } from '../../../ui/surfaces.tsx';
import { Deliveries } from './deliveries.tsx';
import { SaveWebhook } from './save-webhook.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookCard, type WebhookStep } from './webhook-card.tsx';
import { RemoveWebhook, RenewSecret } from './webhook-questions.tsx';

/** Webhooks: adds, edits and tests them, and shows their log. */
export function Webhooks({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('connect');
  const query = useCall(listWebhooks, {});
  const [adds, setAdds] = useState(false);
  const [asked, setAsked] = useState<{ step: WebhookStep; webhook: Webhook } | null>(null);
  const [secret, setSecret] = useState('');
  const of = (step: WebhookStep) => (asked?.step === step ? asked.webhook : null);
  const close = () => setAsked(null);
  const edited = of('edit');
  return (
    <Section
      title={t('webhooks.title')}
      action={<TextButton onClick={() => setAdds(true)}>{t('webhooks.add')}</TextButton>}
    >
      <p className="text-body text-ink-2">{t('webhooks.text')}</p>
      <QueryView query={query} skeleton={{ rows: 2 }}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyState icon={<Hook />} title={t('webhooks.none')} text={t('webhooks.noneText')} />
          ) : (
            <ul className="flex flex-col gap-3">
              {webhooks.map((webhook) => (
                <li key={webhook.id}>
                  <WebhookCard
                    webhook={webhook}
                    timeZone={timeZone}
                    onStep={(step) => setAsked({ step, webhook })}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <SaveWebhook
        key={adds ? 'new' : (edited?.id ?? '')}
        webhook={edited}
        open={adds || edited !== null}
        onClose={() => {
          setAdds(false);
          close();
        }}
        onSaved={(made) => {
          setAdds(false);
          close();
          setSecret(made ?? '');
        }}
      />
      <ShownSecret
        secret={secret}
        title={t('webhooks.secretTitle')}
        text={t('webhooks.secretText')}
        onSaved={() => setSecret('')}
      />
      <Deliveries webhook={of('log')} timeZone={timeZone} onClose={close} />
      <RenewSecret webhook={of('renew')} onClose={close} onMade={setSecret} />
      <RemoveWebhook webhook={of('remove')} onClose={close} />
    </Section>
  );
}
