import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** All that will be published, once more, before it is. */
export function ReviewDialog({
  open,
  onOpenChange,
  title,
  route,
  facts,
  price,
  publishLabel,
  busy,
  onPublish,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The two ends. */
  route: ReactNode;
  facts: readonly { label: string; value: string }[];
  /** Every amount, broken down. */
  price: ReactNode;
  publishLabel: string;
  busy: boolean;
  onPublish: () => void;
}) {
  const { t } = useTranslation('common');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      closeLabel={t('close')}
      action={
        <Button tone="brand" full busy={busy} onClick={onPublish}>
          {publishLabel}
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pt-2">
        {route}
        <dl className="flex flex-col gap-2 border-y border-line py-4">
          {facts.map(({ label, value }) => (
            <div key={label} className="flex items-baseline justify-between gap-4">
              <dt className="shrink-0 text-body text-ink-2">{label}</dt>
              <dd className="figures text-right text-body font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
        {price}
      </div>
    </Dialog>
  );
}
