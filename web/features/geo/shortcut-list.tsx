import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Shortcut } from '#contract/geo/endpoints.ts';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import { ShortcutIcon } from './shortcut-icon.tsx';
import { useShortcutName } from './saved-places.tsx';

/** My shortcuts, each leading to its editor. */
export function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  const { t } = useTranslation('geo');
  const nameOf = useShortcutName();
  return (
    <List label={t('shortcuts')}>
      {shortcuts.map((shortcut) => (
        <li key={shortcut.id}>
          <Link to="/pages/address/editor" search={{ id: shortcut.id }} className={rowVariants}>
            <RowContent
              leading={<ShortcutIcon label={shortcut.label} />}
              title={nameOf(shortcut)}
              detail={[shortcut.name, shortcut.detail].filter((part) => part !== '').join(', ')}
              chevron
            />
          </Link>
        </li>
      ))}
    </List>
  );
}
