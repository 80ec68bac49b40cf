import { Link } from '@tanstack/react-router';
import { BookUser, Search, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { MyQr } from '../../features/contacts/my-qr.tsx';
import { OpenedCode } from '../../features/contacts/opened-code.tsx';
import { Scanner } from '../../features/contacts/scanner.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';

const ways = [
  ['search', '/pages/contact/search', Search],
  ['book', '/pages/contact/addressbook', BookUser],
  ['invite', '/pages/account/invite', UserPlus],
] as const;

/** Adds a contact: found by search, in the address book, invited, or face to face by QR code. */
export function Page() {
  const { t } = useTranslation('contacts');
  const { code, show } = usePageSearch('/pages/contact/add');
  const [face, setFace] = useState<'myCode' | 'scan'>(show === 'scan' ? 'scan' : 'myCode');
  return (
    <PageLayout title={usePageTitle()} back>
      {code !== undefined && <OpenedCode code={code} />}
      <List label={t('add.heading')}>
        {ways.map(([word, to, Icon]) => (
          <li key={to}>
            <Link to={to} className={rowVariants}>
              <RowContent
                leading={<Icon aria-hidden className="text-ink-2" />}
                title={t(`add.${word}`)}
                detail={t(`add.${word}Text`)}
                chevron
              />
            </Link>
          </li>
        ))}
      </List>
      {code === undefined && (
        <Section title={t('add.faceToFace')} className="gap-3">
          <SegmentedControl
            label={t('add.faceToFace')}
            options={(['myCode', 'scan'] as const).map((value) => ({ value, label: t(`add.${value}`) }))}
            value={face}
            onChange={setFace}
          />
          {face === 'myCode' ? <MyQr /> : <Scanner />}
        </Section>
      )}
    </PageLayout>
  );
}
