import { Chip } from '../../ui/chips.tsx';
import { useFieldGroup } from '../../ui/field.tsx';

/** One of a few amounts as chips that wrap: minutes to wait, minutes to walk. Stands in a Field. */
export function ChipChoice<V extends number | null>({
  values,
  value,
  nameOf,
  onChange,
}: {
  values: readonly V[];
  value: V;
  nameOf: (value: V) => string;
  onChange: (value: V) => void;
}) {
  const group = useFieldGroup();
  return (
    <div role="group" {...group} className="flex flex-wrap gap-2">
      {values.map((each) => (
        <Chip key={String(each)} selected={each === value} onClick={() => onChange(each)}>
          {nameOf(each)}
        </Chip>
      ))}
    </div>
  );
}
