import { Copy, RefreshCw, Share2 } from 'lucide-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { openOrderStates } from '#contract/rides/moves.ts';
import { makeLink, readLink } from '#contract/rides/share-links.ts';
import type { Order } from '#contract/rides/views.ts';
import { copyText } from '../../../core/copy.ts';
import { device } from '../../../core/device/this-device.ts';
import { errorWords } from '../../../core/errors.ts';
import { useAction, useCall, type Action } from '../../../core/queries.ts';
import { QueryView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm, Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ErrorState } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** Whether a link to the order is of use: it is mine, and others can still come along. */
export const mayHaveLink = (order: Order): boolean => order.mine && openOrderStates.includes(order.state);

/** The link to my ride or request: what it shows, sending it, and making another one. */
export function LinkDialog({
  order,
  open,
  onOpenChange,
}: {
  order: Order;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation(['recurring', 'common']);
  const [asking, setAsking] = useState(false);
  const { id } = order;
  const link = useCall(readLink, { id }, { enabled: open, quiet: true });
  const { data } = link;
  const make = useAction(makeLink, {
    invalidates: ['/order/link'],
    onDone: (_made, { renew }) => {
      setAsking(false);
      if (renew === true) toast.done(t('recurring:link.renewed'));
    },
  });
  const { run } = make;
  const isMissing = open && data?.path === null;
  useEffect(() => {
    if (isMissing) run({ id });
    // Made once, when the dialog finds that there is none.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isMissing, id]);
  const path = data?.short ?? null;
  const url = path === null ? null : new URL(path, location.origin).href;
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title={t(order.role === 'driver' ? 'recurring:link.ride' : 'recurring:link.request')}
        description={t('recurring:link.text')}
        closeLabel={t('common:close')}
        action={<ShareLink order={order} url={url} />}
      >
        {url === null ? (
          <Pending link={link} make={make} onMake={() => make.run({ id })} />
        ) : (
          <LinkAddress url={url} onRenew={() => setAsking(true)} />
        )}
      </Dialog>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('recurring:link.renewTitle')}
        text={t('recurring:link.renewText')}
        confirmLabel={t('recurring:link.renew')}
        cancelLabel={t('common:cancel')}
        busy={make.busy}
        onConfirm={() => make.run({ id, renew: true })}
      />
    </>
  );
}

/** The link itself, copying it, and making another one. */
function LinkAddress({ url, onRenew }: { url: string; onRenew: () => void }) {
  const { t } = useTranslation('recurring');
  const copy = async () => {
    if (await copyText(url)) toast.done(t('link.copied'));
    else toast.error(t('link.copyFailed'));
  };
  return (
    <div className="flex flex-col gap-3">
      <Field label={t('link.address')}>
        <TextInput readOnly value={url} onFocus={({ target }) => target.select()} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button tone="quiet" small icon={<Copy aria-hidden />} onClick={() => void copy()}>
          {t('link.copy')}
        </Button>
        <Button tone="quiet" small icon={<RefreshCw aria-hidden />} onClick={onRenew}>
          {t('link.renew')}
        </Button>
      </div>
    </div>
  );
}

/** Before there is a link to show: it is read, made, or one of the two failed. */
function Pending({
  link,
  make,
  onMake,
}: {
  link: UseQueryResult<OutputOf<typeof readLink>>;
  make: Pick<Action<typeof makeLink>, 'error'>;
  onMake: () => void;
}) {
  const { t } = useTranslation('common');
  return (
    <QueryView query={link} skeleton={{ rows: 1 }}>
      {() =>
        make.error === null ? (
          <Skeleton label={t('loading')} rows={1} />
        ) : (
          <ErrorState
            title={t('trouble.title')}
            text={errorWords(make.error)}
            retryLabel={t('retry')}
            onRetry={onMake}
          />
        )
      }
    </QueryView>
  );
}

/** Hands the link to the device's share sheet, or to the clipboard where there is none. */
function ShareLink({ order, url }: { order: Order; url: string | null }) {
  const { t } = useTranslation(['recurring', 'common']);
  const format = useFormat();
  const share = async (link: string) => {
    const at = order.role === 'driver' ? order.departsAt : order.earliestAt;
    const text = t('recurring:link.message', {
      // What strangers may read: the sheet's text goes to them too.
      from: order.from.detail || t('common:product'),
      to: order.to.detail || t('common:product'),
      when: format.whenInSentence(at, order.timeZone),
    });
    const isDone = device().canShare
      ? (await device().share({ title: t('common:product'), text, url: link })) !== 'failed'
      : await copyText(link);
    if (!isDone) toast.error(t('recurring:link.copyFailed'));
    else if (!device().canShare) toast.done(t('recurring:link.copied'));
  };
  return (
    <Button
      tone="brand"
      full
      disabled={url === null}
      icon={<Share2 aria-hidden />}
      onClick={() => url !== null && void share(url)}
    >
      {t('recurring:link.share')}
    </Button>
  );
}
