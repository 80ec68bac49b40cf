import { useState } from 'react';
import { onboardLink } from '#contract/payments/endpoints.ts';
import { useAction } from '../../core/queries.ts';
import { Button, type ButtonTone } from '../../ui/button.tsx';

/**
 * Leads to the card provider's pages, where a driver says who they are; those lead back to the landing page.
 */
export function OnboardButton({ label, tone = 'primary' }: { label: string; tone?: ButtonTone }) {
  const [leaving, setLeaving] = useState(false);
  const begin = useAction(onboardLink, {
    invalidates: ['/payment/account'],
    onDone: ({ url }) => {
      setLeaving(true);
      location.assign(url);
    },
  });
  return (
    <Button full tone={tone} busy={begin.busy || leaving} onClick={() => begin.run({})}>
      {label}
    </Button>
  );
}
