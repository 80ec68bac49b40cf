import { Archive, CreditCard, Globe, Mail, MapPinned } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { tryCards, tryMail, tryRegion, type readSetup } from '#contract/setup/endpoints.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAction } from '../../core/queries.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { TryCard, type TryResult } from './try-card.tsx';

type Setup = OutputOf<typeof readSetup>;

/** What an operator checks before people use the installation, each with its test. */
export function Tries({ setup, token }: { setup: Setup; token: string }) {
  return (
    <div className="flex flex-col gap-3">
      <AddressFacts setup={setup} />
      <RegionTry setup={setup} token={token} />
      <MailTry setup={setup} token={token} />
      <CardsTry setup={setup} token={token} />
      <BackupFacts setup={setup} />
    </div>
  );
}

function AddressFacts({ setup: { publicUrl: url, isSecure } }: { setup: Setup }) {
  const { t } = useTranslation('setup');
  const opened = location.origin;
  const isOther = opened !== new URL(url).origin;
  const facts = [
    t(isSecure ? 'address.secure' : 'address.open', { url }),
    ...(isOther ? [t('address.other', { opened, url })] : []),
  ];
  return <TryCard icon={<Globe />} title={t('address.title')} facts={facts} good={isSecure && !isOther} />;
}

function RegionTry({ setup: { region }, token }: { setup: Setup; token: string }) {
  const { t } = useTranslation('setup');
  const [result, setResult] = useState<TryResult | null>(null);
  const action = useAction(tryRegion, {
    onDone({ outcome, places, place, minutes, hasMap }) {
      const text =
        outcome === 'read'
          ? t('region.read', { count: places, place, minutes: minutes ?? 0 })
          : t(`region.${outcome}`);
      setResult({
        good: outcome === 'read',
        text: hasMap || outcome === 'none' ? text : `${text} ${t('region.noMap')}`,
      });
    },
  });
  const isLoaded = region.packs.length > 0;
  const { title, timeZone } = region;
  return (
    <TryCard
      icon={<MapPinned />}
      title={t('region.title')}
      facts={[isLoaded ? t('region.is', { title, timeZone }) : t('region.none')]}
      good={isLoaded ? null : false}
      {...(isLoaded && {
        run: { label: t('region.run'), busy: action.busy, onTry: () => action.run({ token }), result },
      })}
    />
  );
}

function MailTry({ setup: { mail }, token }: { setup: Setup; token: string }) {
  const { t } = useTranslation('setup');
  const [to, setTo] = useState('');
  const [result, setResult] = useState<TryResult | null>(null);
  const action = useAction(tryMail, {
    onDone({ outcome, said }) {
      setResult({
        good: outcome === 'sent' || outcome === 'kept',
        text: t(`mail.outcomes.${outcome}`),
        said: said === '' ? '' : t('mail.said', { said }),
      });
    },
    onRefused: (refused) => refused.fields['to'] !== undefined,
  });
  const { kind, host, from } = mail;
  return (
    <TryCard
      icon={<Mail />}
      title={t('mail.title')}
      facts={[kind === 'server' ? t('mail.server', { host, from }) : t(`mail.${kind}`)]}
      good={kind === 'server' ? null : false}
      {...(kind !== 'none' && {
        run: {
          label: t('mail.run'),
          busy: action.busy,
          onTry: () => action.run({ token, to, language: currentLanguage() }),
          result,
        },
      })}
    >
      {kind !== 'none' && (
        <Field label={t('mail.to')} error={action.fields['to']}>
          <TextInput
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="off"
            spellCheck={false}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </Field>
      )}
    </TryCard>
  );
}

function CardsTry({ setup: { cards }, token }: { setup: Setup; token: string }) {
  const { t } = useTranslation('setup');
  const [result, setResult] = useState<TryResult | null>(null);
  const action = useAction(tryCards, {
    onDone({ outcome, account, name, said }) {
      setResult({
        good: outcome === 'ready',
        text: t(`cards.outcomes.${outcome}`, { account: name === '' ? account : `${name} (${account})` }),
        said: said === '' ? '' : t('mail.said', { said }),
      });
    },
  });
  const { kind } = cards;
  return (
    <TryCard
      icon={<CreditCard />}
      title={t('cards.title')}
      facts={[t(`cards.${kind}`)]}
      good={kind === 'live' ? null : kind !== 'none'}
      {...(kind !== 'none' && {
        run: { label: t('cards.run'), busy: action.busy, onTry: () => action.run({ token }), result },
      })}
    />
  );
}

function BackupFacts({ setup: { backup } }: { setup: Setup }) {
  const { t } = useTranslation('setup');
  const state = !backup.isOn ? 'off' : backup.isSealed ? 'on' : 'unsealed';
  return (
    <TryCard
      icon={<Archive />}
      title={t('backup.title')}
      facts={[t(`backup.${state}`)]}
      good={state === 'on'}
    />
  );
}
