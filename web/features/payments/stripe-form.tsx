import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../core/i18n.ts';
import { trustedTypesPolicy } from '../../core/trusted.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/surfaces.tsx';

/**
 * What is used of Stripe's own script, which has no types here: it must come from Stripe at the moment it is
 * needed.
 */
interface StripeScript {
  elements(options: { clientSecret: string; locale: string }): StripeElements;
  confirmSetup(options: {
    elements: StripeElements;
    confirmParams: { return_url: string };
  }): Promise<{ error?: { message?: string } }>;
}
interface StripeElements {
  create(type: 'payment'): {
    mount(at: HTMLElement): void;
    on(event: 'ready' | 'loaderror', listener: () => void): void;
    destroy(): void;
  };
}
declare global {
  interface Window {
    Stripe?: (publishableKey: string) => StripeScript;
  }
}

const scriptUrl = 'https://js.stripe.com/v3/';
let loading: Promise<void> | null = null;
let policy: ReturnType<typeof trustedTypesPolicy>;

/** @throws TypeError for a script from another host. */
function requireStripe(address: string): string {
  if (new URL(address, location.href).origin === new URL(scriptUrl).origin) return address;
  throw new TypeError(`${address} is no script of Stripe.`);
}

/** Loads Stripe's script once; a failed load is tried again the next time. */
function loadScript(): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    // Stripe's script creates the addresses of its other parts with the policy of this name, and so does this
    // code.
    policy ??= trustedTypesPolicy('default', { createScriptURL: requireStripe });
    script.src = scriptUrl;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      loading = null;
      script.remove();
      reject(new Error('The card form could not be loaded.'));
    });
    document.head.append(script);
  });
  return loading;
}

interface StripeFormProps {
  publishableKey: string;
  clientSecret: string;
  returnUrl: string;
}

/**
 * Stripe's own form for a card. What is typed there goes to Stripe alone; its bank may lead away and back.
 */
export function StripeForm(props: StripeFormProps) {
  const [attempt, setAttempt] = useState(0);
  return <MountedForm key={attempt} {...props} onRetry={() => setAttempt((count) => count + 1)} />;
}

function MountedForm({
  publishableKey,
  clientSecret,
  returnUrl,
  onRetry,
}: StripeFormProps & { onRetry: () => void }) {
  const { t } = useTranslation(['payments', 'common']);
  const box = useRef<HTMLDivElement>(null);
  const form = useRef<{ stripe: StripeScript; elements: StripeElements } | null>(null);
  const [stage, setStage] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');

  useEffect(() => {
    let gone = false;
    let destroy = () => {};
    const mount = async () => {
      await loadScript();
      if (gone || box.current === null || window.Stripe === undefined) return;
      const stripe = window.Stripe(publishableKey);
      const elements = stripe.elements({ clientSecret, locale: currentLanguage() });
      const element = elements.create('payment');
      element.on('ready', () => setStage('ready'));
      element.on('loaderror', () => setStage('failed'));
      element.mount(box.current);
      destroy = () => element.destroy();
      form.current = { stripe, elements };
    };
    mount().catch(() => !gone && setStage('failed'));
    return () => {
      gone = true;
      form.current = null;
      destroy();
    };
  }, [publishableKey, clientSecret]);

  const save = async () => {
    if (form.current === null) return;
    setBusy(true);
    setRefusal('');
    // Leads away when it is done; an answer means that it was refused.
    const { error } = await form.current.stripe.confirmSetup({
      elements: form.current.elements,
      confirmParams: { return_url: returnUrl },
    });
    setBusy(false);
    setRefusal(error?.message ?? t('payments:cards.notAdded'));
  };

  if (stage === 'failed') {
    return (
      <ErrorState
        title={t('common:trouble.title')}
        text={t('payments:cards.formFailed')}
        retryLabel={t('common:retry')}
        onRetry={onRetry}
      />
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {stage === 'loading' && <Skeleton label={t('common:loading')} rows={2} kind="form" />}
      <div ref={box} />
      {refusal !== '' && (
        <p role="alert" className="text-body text-danger">
          {refusal}
        </p>
      )}
      <Button full busy={busy} disabled={stage !== 'ready'} onClick={() => void save()}>
        {t('payments:cards.save')}
      </Button>
    </div>
  );
}
