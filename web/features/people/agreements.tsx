import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import { List, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import type { Privacy } from './privacy-choices.tsx';

const pages = {
  terms: '/pages/legal/teams',
  privacy: '/pages/legal/privacy',
  optin: '/pages/legal/optin',
} as const;

/** What I agreed to or took back, in which version and when. */
export function Agreements({ consents }: { consents: Privacy['consents'] }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  if (consents.length === 0) return null;
  return (
    <Section title={t('agreements.title')}>
      <List>
        {consents.map(({ document, version, given, at }) => (
          <li key={document}>
            <Link to={pages[document]} className={rowVariants}>
              <RowContent
                title={t(`agreements.${document}`)}
                detail={t(given ? 'agreements.given' : 'agreements.takenBack', {
                  version,
                  when: format.longDateAndTime(at),
                })}
                chevron
              />
            </Link>
          </li>
        ))}
      </List>
    </Section>
  );
}
