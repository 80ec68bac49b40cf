import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { appVersion } from '#contract/app/endpoints.ts';
import { legalVersion } from '#contract/privacy/endpoints.ts';
import { usePageTitle } from '../../base/navigation.ts';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';

export type DocumentName = 'teams' | 'privacy' | 'optin' | 'carpool' | 'payment';

/** One legal document: what it is about, then its sections. */
export function LegalDocument({ name }: { name: DocumentName }) {
  const { t } = useTranslation('legal');
  const sections = t(`${name}.sections`, { returnObjects: true });
  return (
    <Frame title={usePageTitle()} back>
      <article className="flex max-w-[68ch] flex-col gap-6 pt-2">
        <p className="text-lead">{t(`${name}.intro`)}</p>
        {sections.map((section) => (
          <section key={section.title} className="flex flex-col gap-2">
            <h2 className="text-lead">{section.title}</h2>
            {section.text.map((paragraph) => (
              <p key={paragraph} className="text-body text-ink-2">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        <p className="text-small text-ink-3">{t('version', { version: appVersion, legal: legalVersion })}</p>
      </article>
      <Link to="/pages/feedback/feedback" className={buttonLook({ tone: 'quiet', full: true })}>
        {t('questions')}
      </Link>
    </Frame>
  );
}
