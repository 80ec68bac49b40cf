import { usePageQuery } from '../../base/navigation.ts';
import { ChoosePlace, type ChosenFor } from './choose-place.tsx';

const owners: readonly ChosenFor[] = [
  'driver',
  'passenger',
  'editedRide',
  'editedRequest',
  'shortcut',
  'event',
];

export function Page() {
  const query = usePageQuery();
  return (
    <ChoosePlace
      chosenFor={owners.find((owner) => owner === query['for']) ?? 'driver'}
      field={query['field'] === 'to' ? 'to' : 'from'}
    />
  );
}
