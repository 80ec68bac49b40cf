import { useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { oauthStart, outsideProviders, verifyOutside } from '#contract/access/endpoints.ts';
import { device } from '../../core/device/this-device.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { useAfterSignIn, usePageSearch } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { Button } from '../../ui/button.tsx';
import { arrive } from './arrive.ts';
import { keepWaitingSignIn } from './second-step-ticket.ts';
import { keepAttempt, landingAddress } from './oauth-attempt.ts';

/** A button for each outside provider that is set up here; nothing where there is none. */
export function OauthSignIns() {
  const { t } = useTranslation('access');
  const { returnTo } = usePageSearch('/pages/auth/auth');
  const { data } = useCall(outsideProviders, {}, { quiet: true, staleTime: 10 * 60_000 });
  const [leavingFor, setLeavingFor] = useState<string | null>(null);
  const goOn = useAfterSignIn();
  const navigate = useNavigate();
  const begin = useAction(oauthStart);
  const verify = useAction(verifyOutside, {
    onDone: (user) => {
      arrive(user);
      goOn();
    },
    onRefused: (refused) => {
      if (!keepWaitingSignIn(refused)) return false;
      void navigate({ to: '/pages/auth/signin', search: { returnTo, step: 'second' } });
      return true;
    },
  });
  const providers = data?.providers ?? [];
  if (providers.length === 0) return null;

  const leave = async ({ id, name }: { id: string; name: string }) => {
    setLeavingFor(id);
    const started = await begin.ask({
      provider: id,
      redirect_uri: landingAddress(),
      language: currentLanguage(),
    });
    if (started === null) return setLeavingFor(null);
    const idToken = await device().idToken(started);
    if (idToken === null) {
      keepAttempt({ state: started.state, provider: id, providerName: name, returnTo });
      device().leaveFor(started.authorizationUrl);
      return undefined;
    }
    // The phone's own account; empty where the person left it.
    if (idToken !== '') await verify.ask({ id_token: idToken });
    return setLeavingFor(null);
  };
  return (
    <div className="flex flex-col gap-2">
      {providers.map((provider) => (
        <Button
          key={provider.id}
          tone="quiet"
          full
          icon={<KeyRound aria-hidden className="size-5" />}
          busy={leavingFor === provider.id}
          disabled={leavingFor !== null && leavingFor !== provider.id}
          onClick={() => void leave(provider)}
        >
          {t('oauth.continueWith', { provider: provider.name })}
        </Button>
      ))}
      <p aria-hidden className="text-center text-small text-ink-3">
        {t('oauth.or')}
      </p>
    </div>
  );
}
