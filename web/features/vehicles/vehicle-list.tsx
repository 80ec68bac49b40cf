import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Vehicle } from '#contract/vehicles/endpoints.ts';
import { List, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import { PaintDot } from './color-choice.tsx';
import { Plate } from './plate.tsx';
import { useVehicleWords } from './vehicle-name.ts';

/** My vehicles; each leads to its editor. */
export function VehicleList({
  vehicles,
  returnTo,
}: {
  vehicles: readonly Vehicle[];
  returnTo?: string | undefined;
}) {
  const { t } = useTranslation('vehicles');
  const words = useVehicleWords();
  return (
    <List label={t('list.label')}>
      {vehicles.map((vehicle) => (
        <li key={vehicle.id}>
          <Link to="/pages/car/editor" search={{ id: vehicle.id, returnTo }} className={rowVariants}>
            <RowContent
              leading={<PaintDot color={vehicle.color} />}
              title={words.name(vehicle)}
              detail={words.detail(vehicle)}
              trailing={<Plate text={vehicle.plate} />}
              chevron
            />
          </Link>
        </li>
      ))}
    </List>
  );
}
