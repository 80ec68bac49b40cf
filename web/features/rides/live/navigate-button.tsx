import { ExternalLink, Navigation } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { List, RowContent, rowVariants } from '../../../ui/surfaces.tsx';

/** Hands a place over to the navigation app of the driver's choice. */
export function NavigateButton({ to }: { to: { name: string; lon: number; lat: number } }) {
  const { t } = useTranslation(['rides', 'common']);
  const [open, setOpen] = useState(false);
  const at = `${to.lat},${to.lon}`;
  const apps = [
    { word: 'google', href: `https://www.google.com/maps/dir/?api=1&destination=${at}&travelmode=driving` },
    { word: 'apple', href: `https://maps.apple.com/?daddr=${at}&dirflg=d` },
    { word: 'waze', href: `https://waze.com/ul?ll=${at}&navigate=yes` },
    { word: 'other', href: `geo:${at}?q=${at}(${encodeURIComponent(to.name)})` },
  ] as const;
  return (
    <>
      <Button
        tone="quiet"
        small
        icon={<Navigation aria-hidden className="size-5" />}
        onClick={() => setOpen(true)}
      >
        {t('rides:navigate.button')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('rides:navigate.title')}
        description={to.name}
        closeLabel={t('common:close')}
      >
        <List>
          {apps.map(({ word, href }) => (
            <li key={word}>
              <a
                href={href}
                target="_blank"
                rel="noreferrer"
                className={rowVariants}
                onClick={() => setOpen(false)}
              >
                <RowContent
                  title={t(`rides:navigate.${word}`)}
                  trailing={<ExternalLink aria-hidden className="size-5" />}
                />
              </a>
            </li>
          ))}
        </List>
      </Dialog>
    </>
  );
}
