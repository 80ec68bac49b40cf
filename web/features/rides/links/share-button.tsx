import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { copyText } from '../../../core/copy.ts';
import { device } from '../../../core/device/this-device.ts';
import { useFormat } from '../../../core/use-format.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { LinkDialog, mayHaveLink } from './link-dialog.tsx';

/**
 * Shares a ride or request: my own by its link, for all who get it; another's by its number, for those who
 * may see it.
 */
export function ShareButton({ order }: { order: Order }) {
  return mayHaveLink(order) ? <ShareOwn order={order} /> : <SharePage order={order} />;
}

/** The same for a ride or request of my own as a button with words. */
export function ShareLinkButton({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  const [open, setOpen] = useState(false);
  if (!mayHaveLink(order)) return null;
  return (
    <>
      <Button
        tone="quiet"
        small
        icon={<Share2 aria-hidden className="size-5" />}
        onClick={() => setOpen(true)}
      >
        {t(`published.${order.role}.share`)}
      </Button>
      <LinkDialog order={order} open={open} onOpenChange={setOpen} />
    </>
  );
}

function ShareOwn({ order }: { order: Order }) {
  const { t } = useTranslation('common');
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('share')} icon={<Share2 aria-hidden />} onClick={() => setOpen(true)} />
      <LinkDialog order={order} open={open} onOpenChange={setOpen} />
    </>
  );
}

/**
 * Hands the short address of a ride's page to the device's share sheet, or to the clipboard where there is
 * none.
 */
function SharePage({ order }: { order: Order }) {
  const { t } = useTranslation(['rides', 'common']);
  const format = useFormat();
  const share = async () => {
    const url = new URL(`/r/${order.orderNumber}`, location.origin).href;
    const at = order.role === 'driver' ? order.departsAt : order.earliestAt;
    const text = t('rides:share.text', {
      from: order.from.name,
      to: order.to.name,
      when: format.whenInSentence(at, order.timeZone),
    });
    const isDone = device().canShare
      ? (await device().share({ title: t('common:product'), text, url })) !== 'failed'
      : await copyText(url);
    if (!isDone) toast.error(t('rides:share.failed', { url }));
    else if (!device().canShare) toast.done(t('rides:share.copied'));
  };
  return <IconButton label={t('common:share')} icon={<Share2 aria-hidden />} onClick={() => void share()} />;
}
