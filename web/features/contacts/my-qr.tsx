import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { listContacts, myQrCode } from '#contract/contacts/endpoints.ts';
import { now, useNow } from '../../core/clock.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** A fresh code is made this long before the shown one ends, so that none is scanned too late. */
const freshBeforeMs = 60_000;

/** My code to be scanned face to face; it renews itself, and says who has scanned it. */
export function MyQr() {
  const { t } = useTranslation('contacts');
  const format = useFormat();
  const read = useCall(myQrCode, {}, { quiet: true, staleTime: 0 });
  const { data, refetch, isFetching } = read;
  useNow(1000);
  const leftMs = data === undefined ? 0 : new Date(data.expiresAt).getTime() - now() - freshBeforeMs;
  const isOver = data !== undefined && leftMs <= 0;
  useEffect(() => {
    if (isOver && !isFetching) void refetch();
  }, [isOver, isFetching, refetch]);
  useSayWhoScanned();

  return (
    <QueryView query={read} failed={t('qr.failed')} skeleton={{ rows: 1, kind: 'cards' }}>
      {({ code }) => (
        <Card className="flex flex-col items-center gap-3 py-6 text-center">
          <QrCode
            value={`${location.origin}/pages/contact/add?code=${code}`}
            size={240}
            marginSize={3}
            title={t('qr.name')}
          />
          <p className="max-w-xs text-body text-ink-2">{t('qr.text')}</p>
          <p className="figures text-small text-ink-3">
            {t('qr.left', { time: format.duration(Math.max(60, Math.ceil(leftMs / 1000))) })}
          </p>
        </Card>
      )}
    </QueryView>
  );
}

/** Says the name of the person who has become a contact while the code was shown. */
function useSayWhoScanned(): void {
  const { t } = useTranslation('contacts');
  const contacts = useCall(listContacts, {}, { quiet: true, refetchInterval: 15_000 }).data?.contacts;
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (contacts === undefined) return;
    const before = known.current;
    known.current = new Set(contacts.map(({ person }) => person.id));
    for (const { person, origin } of contacts) {
      if (before !== null && !before.has(person.id) && origin === 'FTF_QRCODE')
        toast.done(t('qr.met', { name: person.name }));
    }
  }, [contacts, t]);
}
