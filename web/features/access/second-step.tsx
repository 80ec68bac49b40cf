import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  passkeySignInOptions,
  secondStep,
  secondStepOptions,
  signInByPasskey,
} from '#contract/access/second-factor.ts';
import { canUsePasskeys } from '../../core/sign-with-passkey.ts';
import { useAction } from '../../core/queries.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { arrive } from './arrive.ts';
import { FactorSteps, useSigning } from './factor-steps.tsx';
import { StepHeading } from './heading.tsx';
import { forgetWaitingSignIn, waitingSignIn, type WaitingSignIn } from './second-step-ticket.ts';

/** The second step of a sign-in: an authenticator app, a passkey or a recovery code. */
export function SecondStep({ onOver }: { onOver: () => void }) {
  const { t } = useTranslation('security');
  // Keeps the ticket while the page closes.
  const [waiting] = useState(waitingSignIn);
  return (
    <>
      <StepHeading title={t('step.heading')} />
      {waiting !== null && <Steps waiting={waiting} onOver={onOver} />}
      <TextButton
        className="-ml-1 self-start"
        onClick={() => {
          forgetWaitingSignIn();
          onOver();
        }}
      >
        {t('step.again')}
      </TextButton>
    </>
  );
}

function Steps({ waiting: { ticket, ways }, onOver }: { waiting: WaitingSignIn; onOver: () => void }) {
  const { t } = useTranslation('security');
  const options = useAction(secondStepOptions);
  const finish = useAction(secondStep, {
    onDone: (user) => {
      forgetWaitingSignIn();
      arrive(user);
    },
    onRefused: ({ reason }) => {
      if (reason !== 'factor.expired') return ['factor.wrong', 'factor.wrongTooOften'].includes(reason);
      forgetWaitingSignIn();
      onOver();
      return false;
    },
  });
  return (
    <FactorSteps
      ways={ways}
      submitLabel={t('step.submit')}
      busy={finish.busy}
      error={finish.fields['code']}
      onCeremony={() => options.ask({ ticket })}
      onGive={(given) => finish.run({ ticket, ...given })}
    />
  );
}

/** Signs in with a passkey alone; hidden if the browser does not support it. */
export function PasskeySignIn() {
  const { t } = useTranslation('security');
  const options = useAction(passkeySignInOptions);
  const enter = useAction(signInByPasskey, { onDone: arrive });
  const { signing, sign } = useSigning(() => options.ask({}), enter.run);
  if (!canUsePasskeys()) return null;
  return (
    <Button
      tone="quiet"
      full
      icon={<KeyRound aria-hidden className="size-5" />}
      busy={signing || enter.busy}
      onClick={sign}
    >
      {t('signIn')}
    </Button>
  );
}
