import { usePageSearch } from '../../core/navigation.ts';
import { maxVia } from '#contract/rides/endpoints.ts';
import { ChoosePlace, type ChosenField } from './choose-place.tsx';

const fields: readonly ChosenField[] = [
  'from',
  'to',
  ...Array.from({ length: maxVia }, (_, index): ChosenField => `via${index}`),
];

export function Page() {
  const { for: chosenFor = 'driver', field } = usePageSearch('/pages/address/address');
  return <ChoosePlace chosenFor={chosenFor} field={fields.find((each) => each === field) ?? 'from'} />;
}
