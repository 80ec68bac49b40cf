import { useTranslation } from 'react-i18next';
import { ageOf, retention, type RetentionKind } from '#contract/privacy/retention.ts';
import { currentLanguage } from '../../core/i18n.ts';

const kinds = Object.keys(retention) as RetentionKind[];

/** Which data is retained, why and for how long: the table that the server's cleanup uses. */
export function KeptList() {
  const { t } = useTranslation('legal');
  return (
    <section className="flex max-w-[68ch] flex-col gap-3">
      <h2 className="text-lead">{t('kept.title')}</h2>
      <p className="text-body text-ink-2">{t('kept.intro')}</p>
      <ul className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
        {kinds.map((kind) => (
          <li key={kind} className="flex flex-col gap-1 p-4">
            <h3 className="text-body font-semibold">{t(`kept.kinds.${kind}.what`)}</h3>
            <p className="text-body text-ink-2">{t(`kept.kinds.${kind}.why`)}</p>
            <HowLong kind={kind} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function HowLong({ kind }: { kind: RetentionKind }) {
  const { t } = useTranslation('legal');
  const { kept, since, ending, exported } = retention[kind];
  let time: string;
  if (typeof kept === 'string') time = t(`kept.${kept}`);
  else {
    const { count, unit } = ageOf(kept);
    time = t(`kept.since.${since}`, { age: t(`kept.age.${unit}`, { count }) });
  }
  return (
    <p className="text-small text-ink-3">
      <span className="font-semibold text-ink-2">{time}</span>
      {' · '}
      {t(`kept.ending.${ending}`)}
      {currentLanguage() === 'zh' ? '' : ' '}
      {t(exported ? 'kept.exported' : 'kept.notExported')}
    </p>
  );
}
