import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonDialog } from './reason-dialog.tsx';

/** Asks why a person declines, with the answers that are given most. */
export function DeclineDialog(
  props: Omit<ComponentProps<typeof ReasonDialog>, 'choices' | 'confirmLabel' | 'tone'>,
) {
  const { t } = useTranslation('rides');
  return (
    <ReasonDialog
      {...props}
      choices={[t('ask.why.far'), t('ask.why.time'), t('ask.why.space'), t('ask.why.plans')]}
      confirmLabel={t('ask.reject')}
    />
  );
}
