import { Ban, Check, Hourglass, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listKeys, revokeKey, type ApiKey } from '#contract/connect/keys.ts';
import { useAction, useCall } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { Button, TextButton } from '../../../ui/button.tsx';
import { StateChip } from '../../../ui/chips.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { EmptyState, Section } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { MakeKey } from './make-key.tsx';
import { ShownSecret } from './shown-secret.tsx';

/** API keys: makes, lists and revokes them. */
export function ApiKeys({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation(['connect', 'common']);
  const query = useCall(listKeys, {});
  const [makes, setMakes] = useState(false);
  const [secret, setSecret] = useState('');
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const revoke = useAction(revokeKey, {
    invalidates: ['/admin/'],
    onDone: () => {
      setEnding(null);
      toast.done(t('connect:keys.revoked'));
    },
  });
  return (
    <Section
      title={t('connect:keys.title')}
      action={<TextButton onClick={() => setMakes(true)}>{t('connect:keys.make')}</TextButton>}
    >
      <p className="text-body text-ink-2">{t('connect:keys.text')}</p>
      <QueryView query={query} skeleton={{ rows: 3 }}>
        {({ keys }) =>
          keys.length === 0 ? (
            <EmptyState
              icon={<KeyRound />}
              title={t('connect:keys.none')}
              text={t('connect:keys.noneText')}
            />
          ) : (
            <ul className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} timeZone={timeZone} onRevoke={() => setEnding(key)} />
              ))}
            </ul>
          )
        }
      </QueryView>
      <MakeKey
        open={makes}
        onClose={() => setMakes(false)}
        onMade={(made) => {
          setMakes(false);
          setSecret(made);
        }}
      />
      <ShownSecret
        secret={secret}
        title={t('connect:keys.shownTitle')}
        text={t('connect:keys.shownText')}
        onSaved={() => setSecret('')}
      />
      <Confirm
        open={ending !== null}
        onOpenChange={(open) => !open && setEnding(null)}
        title={t('connect:keys.revokeTitle', { name: ending?.name ?? '' })}
        text={t('connect:keys.revokeText')}
        confirmLabel={t('connect:keys.revoke')}
        cancelLabel={t('common:cancel')}
        tone="danger"
        busy={revoke.busy}
        onConfirm={() => ending !== null && revoke.run({ id: ending.id })}
      />
    </Section>
  );
}

const tones = { valid: 'brand', expired: 'neutral', revoked: 'danger' } as const;
const icons = {
  valid: <Check aria-hidden />,
  expired: <Hourglass aria-hidden />,
  revoked: <Ban aria-hidden />,
};

function KeyRow({
  apiKey: key,
  timeZone,
  onRevoke,
}: {
  apiKey: ApiKey;
  timeZone: string;
  onRevoke: () => void;
}) {
  const { t } = useTranslation('connect');
  const format = useFormat();
  const used =
    key.usedAt === null
      ? t('keys.unused')
      : [t('keys.used', { when: format.relative(key.usedAt) }), key.network].filter(Boolean).join(' · ');
  const end =
    key.expiresAt === null
      ? t('keys.endless')
      : t('keys.ends', { when: format.dayInSentence(key.expiresAt, timeZone) });
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-lead break-words">{key.name}</p>
        <p className="font-mono text-small break-all text-ink-2">{key.shown}</p>
        <p className="text-small text-ink-3">{t('keys.of', { name: key.person.name })}</p>
        <p className="text-small text-ink-3">{used}</p>
        <p className="text-small text-ink-3">{end}</p>
        <p className="text-small break-words text-ink-3">{key.scopes.join(', ')}</p>
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-2">
        <StateChip tone={tones[key.state]} icon={icons[key.state]}>
          {t(`keys.states.${key.state}`)}
        </StateChip>
        {key.state === 'valid' && (
          <Button
            tone="quiet"
            small
            aria-label={t('keys.revokeNamed', { name: key.name })}
            onClick={onRevoke}
          >
            {t('keys.revoke')}
          </Button>
        )}
      </div>
    </li>
  );
}
