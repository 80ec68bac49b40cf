import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { listContacts, myQrCode } from '#contract/contacts/endpoints.ts';
import { now, useNow } from '../../core/clock.ts';
import { errorWords } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Card, ErrorState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** A fresh code is made this long before the shown one ends, so that none is scanned too late. */
const freshBeforeMs = 60_000;

/** My code to be scanned face to face; it renews itself, and says who has scanned it. */
export function MyQr() {
  const { t } = useTranslation(['contacts', 'common']);
  const format = useFormat();
  const { data, error, refetch, isFetching } = useCall(myQrCode, {}, { quiet: true, staleTime: 0 });
  useNow(1000);
  const leftMs = data === undefined ? 0 : new Date(data.expiresAt).getTime() - now() - freshBeforeMs;
  const isOver = data !== undefined && leftMs <= 0;
  useEffect(() => {
    if (isOver && !isFetching) void refetch();
  }, [isOver, isFetching, refetch]);
  useSayWhoScanned();

  if (data === undefined) {
    return error === null ? (
      <Skeleton label={t('common:loading')} rows={1} kind="cards" />
    ) : (
      <ErrorState
        title={t('contacts:qr.failed')}
        text={errorWords(error)}
        retryLabel={t('common:retry')}
        onRetry={() => void refetch()}
      />
    );
  }
  const value = `${location.origin}/pages/contact/add?code=${data.code}`;
  return (
    <Card className="flex flex-col items-center gap-3 py-6 text-center">
      <QRCodeSVG
        value={value}
        size={240}
        level="M"
        marginSize={3}
        fgColor="#1F2430"
        bgColor="#FFFFFF"
        title={t('contacts:qr.name')}
      />
      <p className="max-w-xs text-body text-ink-2">{t('contacts:qr.text')}</p>
      <p className="figures text-small text-ink-3">
        {t('contacts:qr.left', { time: format.duration(Math.max(60, Math.ceil(leftMs / 1000))) })}
      </p>
    </Card>
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
