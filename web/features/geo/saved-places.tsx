import { Link } from '@tanstack/react-router';
import { History, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { listAddresses, type Shortcut } from '#contract/geo/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Place } from '#contract/units.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { List, ListRow, RowContent, rowVariants, Section } from '../../ui/surfaces.tsx';
import { ShortcutIcon } from './shortcut-icon.tsx';

/** A shortcut's name: home, work, or the person's own word. */
export function useShortcutName(): (shortcut: Pick<Shortcut, 'label' | 'labelText'>) => string {
  const { t } = useTranslation('geo');
  return ({ label, labelText }) =>
    label === 'labeled' && labelText !== '' ? labelText : t(`label.${label}`);
}

/** Shortcuts and places used lately, to choose with one tap. Nothing for a guest. */
export function SavedPlaces({ onChosen }: { onChosen: (place: Place) => void }) {
  const { t } = useTranslation('geo');
  const { signedIn } = useSession();
  const addresses = useCall(listAddresses, {}, { enabled: signedIn, quiet: true });
  return (
    <PartView query={addresses} failed={t('savedFailed')}>
      {(saved) => <Saved saved={saved} onChosen={onChosen} />}
    </PartView>
  );
}

function Saved({
  saved: data,
  onChosen,
}: {
  saved: OutputOf<typeof listAddresses>;
  onChosen: (place: Place) => void;
}) {
  const { t } = useTranslation('geo');
  const nameOf = useShortcutName();
  const missing = (['home', 'work'] as const).filter(
    (label) => !data.shortcuts.some((shortcut) => shortcut.label === label),
  );
  return (
    <>
      <Section
        title={t('shortcuts')}
        action={
          data.shortcuts.length > 0 && (
            <Link
              to="/pages/address/shortcut"
              className="inline-flex min-h-11 items-center px-1 font-semibold text-brand-ink underline-offset-4 hover:underline"
            >
              {t('manage')}
            </Link>
          )
        }
      >
        <List label={t('shortcuts')}>
          {data.shortcuts.map((shortcut) => (
            <ListRow
              key={shortcut.id}
              leading={<ShortcutIcon label={shortcut.label} />}
              title={nameOf(shortcut)}
              detail={joined(shortcut)}
              onClick={() => onChosen(shortcut)}
            />
          ))}
          {missing.map((label) => (
            <li key={label}>
              <Link to="/pages/address/editor" search={{ label }} className={rowVariants}>
                <RowContent
                  leading={<Plus aria-hidden className="text-brand-ink" />}
                  title={t(`add.${label}`)}
                />
              </Link>
            </li>
          ))}
        </List>
      </Section>
      {data.recent.length > 0 && (
        <Section title={t('recent')}>
          <List label={t('recent')}>
            {data.recent.map((place) => (
              <ListRow
                key={`${place.lon},${place.lat},${place.name}`}
                leading={<History aria-hidden className="text-ink-2" />}
                title={place.name}
                detail={place.detail}
                onClick={() => onChosen(place)}
              />
            ))}
          </List>
        </Section>
      )}
    </>
  );
}

const joined = ({ name, detail }: { name: string; detail: string }) =>
  detail === '' ? name : `${name}, ${detail}`;
