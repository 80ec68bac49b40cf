import { Link2, Radio, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listContacts } from '#contract/contacts/endpoints.ts';
import { listShares, shareTrip, stopSharing, type TripShare } from '#contract/safety/endpoints.ts';
import { copyText } from '../../core/copy.ts';
import { device } from '../../core/device/this-device.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { PartView, QueryView } from '../../core/query-view.tsx';
import { Button, TextButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Banner, List, ListRow } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

const touched = ['/order/shares'];

/** Lets a person at home follow the ride, and shows who does. */
export function ShareTrip({ rideId }: { rideId: string }) {
  const { t } = useTranslation(['safety', 'common']);
  const [open, setOpen] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const watchers = useCall(listShares, { id: rideId }, { quiet: true });
  const shares = watchers.data?.shares ?? [];
  const handOver = useHandOver();
  const linking = useAction(shareTrip, {
    invalidates: touched,
    onDone: ({ path }) => void handOver(new URL(path, location.origin).href),
  });
  return (
    <>
      <Button
        tone="quiet"
        small
        icon={<Radio aria-hidden className="size-5" />}
        onClick={() => {
          setChoosing(false);
          setOpen(true);
        }}
      >
        {shares.length === 0 ? t('safety:share.button') : t('safety:share.with', { count: shares.length })}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('safety:share.title')}
        description={t('safety:share.what')}
        closeLabel={t('common:close')}
      >
        <div className="flex flex-col gap-4">
          <PartView query={watchers} failed={t('safety:share.failed')}>
            {(read) => read.shares.length > 0 && <Watchers shares={read.shares} />}
          </PartView>
          {choosing ? (
            <ContactChoice rideId={rideId} onDone={() => setChoosing(false)} />
          ) : (
            <div className="flex flex-col gap-2">
              <Button
                full
                icon={<Link2 aria-hidden className="size-5" />}
                busy={linking.busy}
                onClick={() => linking.run({ id: rideId })}
              >
                {t('safety:share.link')}
              </Button>
              <Button
                full
                tone="quiet"
                icon={<UserRound aria-hidden className="size-5" />}
                onClick={() => setChoosing(true)}
              >
                {t('safety:share.contact')}
              </Button>
            </div>
          )}
        </div>
      </Dialog>
    </>
  );
}

/** Gives the link to the device's share sheet, or to the clipboard where there is none. */
function useHandOver(): (url: string) => Promise<void> {
  const { t } = useTranslation(['safety', 'common']);
  return async (url) => {
    const what = { title: t('common:product'), text: t('safety:share.text'), url };
    if (device().canShare && (await device().share(what)) !== 'failed') return;
    if (await copyText(url)) toast.done(t('safety:share.copied'));
    else toast.info(url);
  };
}

function Watchers({ shares }: { shares: readonly TripShare[] }) {
  const { t } = useTranslation('safety');
  const stopping = useAction(stopSharing, { invalidates: touched });
  return (
    <ul className="divide-y divide-line">
      {shares.map(({ id, to }) => (
        <li key={id} className="flex min-h-14 items-center justify-between gap-3 py-1">
          <span className="min-w-0 text-lead break-words">{to?.name ?? t('share.linkHolder')}</span>
          <TextButton
            tone="danger"
            disabled={stopping.busy}
            aria-label={t('share.stopFor', { name: to?.name ?? t('share.linkHolder') })}
            onClick={() => stopping.run({ shareId: id })}
          >
            {t('share.stop')}
          </TextButton>
        </li>
      ))}
    </ul>
  );
}

function ContactChoice({ rideId, onDone }: { rideId: string; onDone: () => void }) {
  const { t } = useTranslation('safety');
  const all = useCall(listContacts, {}, { quiet: true });
  const sharing = useAction(shareTrip, {
    invalidates: touched,
    onDone: ({ share }) => {
      toast.done(t('share.sent', { name: share.to?.name ?? '' }));
      onDone();
    },
  });
  return (
    <QueryView query={all}>
      {({ contacts }) =>
        contacts.length === 0 ? (
          <Banner kind="info">{t('share.noContacts')}</Banner>
        ) : (
          <List label={t('share.contact')}>
            {contacts.map(({ person }) => (
              <ListRow
                key={person.id}
                leading={<Avatar name={person.name} src={person.avatar} seed={person.id} size={36} />}
                title={person.name}
                disabled={sharing.busy}
                onClick={() => sharing.run({ id: rideId, contactId: person.id })}
              />
            ))}
          </List>
        )
      }
    </QueryView>
  );
}
