import { usePageQuery } from '../../core/navigation.ts';
import { maxVia } from '#contract/rides/endpoints.ts';
import { ChoosePlace, type ChosenField, type ChosenFor } from './choose-place.tsx';

const owners: readonly ChosenFor[] = [
  'driver',
  'passenger',
  'editedRide',
  'editedRequest',
  'proposal',
  'shortcut',
  'event',
];
const fields: readonly ChosenField[] = [
  'from',
  'to',
  ...Array.from({ length: maxVia }, (_, index): ChosenField => `via${index}`),
];

export function Page() {
  const query = usePageQuery();
  return (
    <ChoosePlace
      chosenFor={owners.find((owner) => owner === query['for']) ?? 'driver'}
      field={fields.find((field) => field === query['field']) ?? 'from'}
    />
  );
}
