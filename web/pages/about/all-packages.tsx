import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';

type Packages = (typeof import('virtual:licenses'))['packages'];

/** All packages of the app and its server with their licenses; loaded on request. */
export function AllPackages() {
  const { t } = useTranslation(['about', 'common']);
  const [packages, setPackages] = useState<Packages | null>(null);
  const [busy, setBusy] = useState(false);
  const show = () => {
    setBusy(true);
    import('virtual:licenses')
      .then((read) => setPackages(read.packages))
      .catch(() => toast.trouble(t('common:trouble.offline')))
      .finally(() => setBusy(false));
  };
  if (packages === null)
    return (
      <Button tone="quiet" small busy={busy} onClick={show}>
        {t('about:about.allPackages')}
      </Button>
    );
  return (
    <>
      <p className="text-body text-ink-2">
        {t('about:about.packages', { count: packages.length })}{' '}
        <a
          href="/licenses.txt"
          target="_blank"
          rel="noreferrer"
          className="font-semibold text-brand-ink underline"
        >
          {t('about:about.texts')}
        </a>
      </p>
      <ul className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card">
        {packages.map(([name, version, license]) => (
          <li key={`${name}@${version}`} className="flex justify-between gap-4 px-4 py-2.5 text-small">
            <span className="min-w-0 break-all">
              {name} <span className="text-ink-3">{version}</span>
            </span>
            <span className="max-w-2/5 text-right break-words text-ink-2">{license}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
