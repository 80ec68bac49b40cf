import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { setupIntent } from '#contract/payments/endpoints.ts';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';
import { useAction } from '../../core/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { StripeForm } from './stripe-form.tsx';

/**
 * Saves a card: in the provider's own form where the browser may have it, else on the provider's page. Either
 * leads back to `returnTo`, a page of this app, with `redirect_status` in its address.
 */
export function useAddCard(returnTo: string): { start: () => void; busy: boolean; form: ReactNode } {
  const { t } = useTranslation(['payments', 'common']);
  const terms = useMoneyTerms();
  const [clientSecret, setClientSecret] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const begin = useAction(setupIntent, {
    onDone: (answer) => {
      if (terms?.publishableKey) setClientSecret(answer.clientSecret);
      else if (answer.pageUrl !== null) {
        setLeaving(true);
        location.assign(answer.pageUrl);
      }
    },
  });
  return {
    start: () => begin.run({ returnTo }),
    busy: begin.busy || leaving,
    form: (
      <Dialog
        open={clientSecret !== null}
        onOpenChange={(open) => !open && setClientSecret(null)}
        title={t('payments:cards.addTitle')}
        description={t('payments:cards.addText')}
        closeLabel={t('common:close')}
      >
        {clientSecret !== null && terms !== undefined && (
          <StripeForm
            publishableKey={terms.publishableKey}
            clientSecret={clientSecret}
            returnUrl={new URL(returnTo, location.origin).href}
          />
        )}
      </Dialog>
    ),
  };
}
