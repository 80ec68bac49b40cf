import { useTranslation } from 'react-i18next';
import { Rooms } from './rooms.tsx';

/** The rooms next to the one that is open, on a desktop. */
export function RoomsPane() {
  const { t } = useTranslation();
  return (
    <div className="px-4 py-3">
      <p className="mb-3 px-2 text-heading font-semibold">{t('titles.chat')}</p>
      <Rooms />
    </div>
  );
}
