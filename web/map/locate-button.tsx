import { LocateFixed } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import type { usePosition } from './position.ts';

/** Asks where the device is, for a map to show it, and says so when that cannot be found out. */
export function LocateButton({
  position,
  floating = false,
}: {
  position: Pick<ReturnType<typeof usePosition>, 'locate'>;
  /** Floats over the map. */
  floating?: boolean;
}) {
  const { t } = useTranslation();
  const locate = async () => {
    if ((await position.locate()) === null) toast.error(t('position.failed'));
  };
  return (
    <IconButton
      floating={floating}
      label={t('map.locate')}
      icon={<LocateFixed aria-hidden />}
      onClick={() => void locate()}
    />
  );
}
