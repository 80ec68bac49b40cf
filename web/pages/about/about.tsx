import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { appBuild, appVersion, version } from '#contract/app/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { List, ListRow, Section } from '../../ui/surfaces.tsx';
import { AllPackages } from './all-packages.tsx';

const sources = ['osm', 'tiger', 'airports', 'cities'] as const;

/** Projects this app uses, with their licenses. Names are the same in every language. */
const projects: readonly [name: string, license: string][] = [
  ['React', 'MIT'],
  ['TanStack Router, Query, Virtual', 'MIT'],
  ['Base UI', 'MIT'],
  ['Tailwind CSS', 'MIT'],
  ['React Hook Form', 'MIT'],
  ['Zod', 'MIT'],
  ['i18next', 'MIT'],
  ['Lucide', 'ISC'],
  ['MapLibre GL JS', 'BSD-3-Clause'],
  ['PMTiles', 'BSD-3-Clause'],
  ['Fastify', 'MIT'],
  ['Socket.IO', 'MIT'],
  ['PostgreSQL', 'PostgreSQL License'],
  ['Drizzle ORM', 'Apache-2.0'],
  ['Graphile Worker', 'MIT'],
  ['Vite', 'MIT'],
];

/** About: the version, where the map comes from, and thanks. */
export function Page() {
  const { t } = useTranslation(['about', 'common']);
  const { data: served } = useCall(version, {}, { quiet: true });
  const { data: config } = useConfig();
  const shown = served ?? { version: appVersion, build: appBuild };
  return (
    <PageLayout title={usePageTitle()} back>
      <div className="flex flex-col items-center gap-3 py-4 text-center">
        <img src="/icon.svg" alt="" className="size-20" />
        <h2 className="text-heading">{t('common:product')}</h2>
        <p className="text-body text-ink-2">{t('about:about.tagline')}</p>
        <p className="figures text-body font-semibold">{t('about:about.version', shown)}</p>
      </div>
      {config !== undefined && (
        <List>
          <ListRow
            title={t('about:about.region')}
            {...(config.region.packs.length > 1
              ? { detail: config.region.title }
              : { trailing: config.region.title })}
          />
        </List>
      )}
      <Section title={t('about:about.maps')}>
        <List>
          {sources.map((source) => (
            <ListRow
              key={source}
              title={t(`about:about.${source}`)}
              detail={t(`about:about.${source}Text`)}
            />
          ))}
        </List>
      </Section>
      <Section title={t('about:about.thanks')}>
        <p className="text-body text-ink-2">{t('about:about.thanksText')}</p>
        <List>
          {projects.map(([name, license]) => (
            <ListRow key={name} title={name} trailing={<span className="text-small">{license}</span>} />
          ))}
        </List>
        <AllPackages />
      </Section>
      <div className="flex flex-col gap-2">
        <Link to="/intro" className={buttonVariants({ tone: 'quiet', full: true })}>
          {t('about:about.intro')}
        </Link>
        <Link to="/pages/feedback/feedback" className={buttonVariants({ tone: 'quiet', full: true })}>
          {t('about:about.feedback')}
        </Link>
        <Link to="/pages/legal/legal" className={buttonVariants({ tone: 'quiet', full: true })}>
          {t('about:about.legal')}
        </Link>
      </div>
    </PageLayout>
  );
}
