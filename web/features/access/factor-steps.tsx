import { KeyRound } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeySignature, ProofWay } from '#contract/access/second-factor.ts';
import { canUsePasskeys, signWithPasskey } from '../../core/sign-with-passkey.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { FactorCode } from './factor-code.tsx';

type FactorWay = Extract<ProofWay, 'passkey' | 'totp' | 'recovery'>;
const others = { passkey: 'step.usePasskey', totp: 'step.useCode', recovery: 'step.useRecovery' } as const;
const texts = { passkey: 'step.passkey', totp: 'step.code', recovery: 'step.recovery' } as const;

/** The second factor that the person provides: a code, or a signature of a passkey. */
export interface GivenFactor {
  code?: string;
  challengeId?: string;
  passkey?: PasskeySignature;
}

/** What the browser needs for a passkey; null where that fails. */
type AskCeremony = () => Promise<{ challengeId: string; options: { challenge: string } } | null>;

/** Asks the device to sign with a passkey, and shows a message if the person cancels. */
export function useSigning(
  onCeremony: AskCeremony,
  onSigned: (given: { challengeId: string; passkey: PasskeySignature }) => void,
): { signing: boolean; sign: () => void } {
  const { t } = useTranslation('security');
  const [signing, setSigning] = useState(false);
  const sign = async () => {
    setSigning(true);
    const ceremony = await onCeremony();
    const passkey = ceremony && (await signWithPasskey(ceremony.options));
    setSigning(false);
    if (passkey !== null && ceremony !== null) onSigned({ challengeId: ceremony.challengeId, passkey });
    else if (ceremony !== null) toast.error(t('step.dismissed'));
  };
  return { signing, sign: () => void sign() };
}

/** Asks for one of the person's second factors, and lets them choose another. */
export function FactorSteps({
  ways,
  submitLabel,
  busy,
  error,
  onCeremony,
  onGive,
}: {
  ways: readonly ProofWay[];
  submitLabel: string;
  busy: boolean;
  /** The error of the last code. */
  error: string | undefined;
  /** What the browser needs for a passkey; null where that fails. */
  onCeremony: AskCeremony;
  onGive: (given: GivenFactor) => void;
}) {
  const { t } = useTranslation('security');
  const open = (['passkey', 'totp', 'recovery'] as const).filter(
    (way) => ways.includes(way) && (way !== 'passkey' || canUsePasskeys()),
  );
  const [chosen, choose] = useState<FactorWay | null>(null);
  const [code, setCode] = useState('');
  const { signing, sign } = useSigning(onCeremony, onGive);
  const way = chosen ?? open[0] ?? 'recovery';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (way === 'passkey') sign();
    else if (code.trim() !== '') onGive({ code });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <p className="text-body text-ink-2">{t(texts[way])}</p>
      {way !== 'passkey' && <FactorCode key={way} way={way} value={code} error={error} onChange={setCode} />}
      <Button
        type="submit"
        full
        busy={busy || signing}
        disabled={way !== 'passkey' && code.trim() === ''}
        {...(way === 'passkey' && { icon: <KeyRound aria-hidden className="size-5" /> })}
      >
        {way === 'passkey' ? t('step.usePasskey') : submitLabel}
      </Button>
      <div className="-ml-1 flex flex-col items-start">
        {open
          .filter((each) => each !== way)
          .map((each) => (
            <TextButton
              key={each}
              onClick={() => {
                setCode('');
                choose(each);
              }}
            >
              {t(others[each])}
            </TextButton>
          ))}
      </div>
    </form>
  );
}
