import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { vehicleColors, type Vehicle } from '#contract/vehicles/endpoints.ts';
import { useFieldGroup } from '../../ui/field.tsx';

type Color = Vehicle['color'];

/** Car paint as one sees it in the street; "other" is split, so that it is no color. */
const paints: Record<Color, string> = {
  black: '#1F2430',
  white: '#FFFFFF',
  silver: '#C9CED6',
  gray: '#7B828E',
  blue: '#2F5FA8',
  red: '#C62F3B',
  green: '#2E7D4A',
  brown: '#6F4A32',
  beige: '#DCCBA8',
  yellow: '#F0C53A',
  orange: '#E5832E',
  purple: '#6B4A94',
  other: 'linear-gradient(135deg, #C9CED6 50%, #FFFFFF 50%)',
};

/** A dot of the vehicle's color, next to its word. */
export function PaintDot({ color }: { color: Color }) {
  return (
    <span
      aria-hidden
      style={{ background: paints[color] }}
      className="size-5 shrink-0 rounded-full ring-1 ring-edge ring-inset"
    />
  );
}

/** One color of all, by dot and word. */
export function ColorChoice({ value, onChange }: { value: string; onChange: (color: Color) => void }) {
  const { t } = useTranslation('vehicles');
  const name = useId();
  return (
    <div
      role="radiogroup"
      {...useFieldGroup()}
      className="grid grid-cols-[repeat(auto-fill,minmax(6.75rem,1fr))] gap-2"
    >
      {vehicleColors.map((color) => (
        <label
          key={color}
          className="relative flex min-h-11 min-w-0 items-center gap-2 rounded-control bg-surface px-3 text-body ring-1 ring-line-2 transition-shadow duration-150 ring-inset has-checked:font-semibold has-checked:ring-2 has-checked:ring-brand-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink"
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 m-0 cursor-pointer opacity-0"
            checked={color === value}
            onChange={() => onChange(color)}
          />
          <PaintDot color={color} />
          <span className="min-w-0 truncate">{t(`colors.${color}`)}</span>
        </label>
      ))}
    </div>
  );
}
