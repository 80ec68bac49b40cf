import { Chip } from '../../ui/chips.tsx';
import { useFieldGroup } from '../../ui/field.tsx';

/** One of a few amounts as chips that wrap: minutes to wait, minutes to walk. Used in a Field. */
export function ChipChoice({
  values,
  value,
  nameOf,
  onChange,
}: {
  values: readonly number[];
  value: number;
  nameOf: (value: number) => string;
  onChange: (value: number) => void;
}) {
  const group = useFieldGroup();
  return (
    <fieldset {...group} className="flex min-w-0 flex-wrap gap-2">
      {values.map((each) => (
        <Chip key={each} selected={each === value} onClick={() => onChange(each)}>
          {nameOf(each)}
        </Chip>
      ))}
    </fieldset>
  );
}
