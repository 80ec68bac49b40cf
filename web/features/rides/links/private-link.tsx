import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { LinkDialog, mayHaveLink } from './link-dialog.tsx';

/** On the page of my private ride or request: no one finds it without its link. */
export function PrivateLink({ order }: { order: Order }) {
  const { t } = useTranslation('recurring');
  const [open, setOpen] = useState(false);
  if (order.visibility !== 'private' || !mayHaveLink(order)) return null;
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-lead">{t('link.privateTitle')}</h2>
        <p className="text-body text-ink-2">{t('link.privateText')}</p>
      </div>
      <Button tone="brand" full icon={<Link2 aria-hidden />} onClick={() => setOpen(true)}>
        {t('link.open')}
      </Button>
      <LinkDialog order={order} open={open} onOpenChange={setOpen} />
    </Card>
  );
}
