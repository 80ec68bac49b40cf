import { Star } from 'lucide-react';
import { useId, useState } from 'react';
import { classes } from './classes.ts';

// Dark enough for white initials, calm enough to stand in a list.
const colours = ['#3F5E8C', '#1E7A35', '#7A4B8F', '#8A5000', '#2F6F77', '#8C3F55', '#56602B', '#4A5262'];

const colourOf = (seed: string) => {
  let sum = 0;
  for (const letter of seed) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_537;
  return colours[sum % colours.length];
};

/** The first character, whole even where it takes two code units. */
const initialOf = (word: string) => String.fromCodePoint(...[word.codePointAt(0) ?? []].flat());

const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/);
  const [first = ''] = words;
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return (initialOf(first) + initialOf(last)).toUpperCase() || '?';
};

/**
 * A person's picture, or their initials on a color that stays theirs. Next to a name it is decoration and has
 * none itself.
 */
export function Avatar({
  name,
  src,
  seed = name,
  size = 44,
  label,
}: {
  name: string;
  /** Address of the picture; empty for none. */
  src?: string;
  /** What the color is made from: best the person's id. */
  seed?: string;
  size?: number;
  /** Accessible name where no name is visible next to it. */
  label?: string;
}) {
  // The address that could not be shown: a new picture gets its own chance.
  const [broken, setBroken] = useState('');
  return (
    <span
      aria-hidden={label === undefined || undefined}
      style={{ width: size, height: size, fontSize: size * 0.38, backgroundColor: colourOf(seed) }}
      className="inline-grid shrink-0 place-items-center overflow-hidden rounded-full leading-none font-semibold text-white select-none"
    >
      {src !== undefined && src !== '' && src !== broken ? (
        <img src={src} alt={label ?? ''} className="size-full object-cover" onError={() => setBroken(src)} />
      ) : (
        <>
          <span aria-hidden>{initialsOf(name)}</span>
          {label !== undefined && <span className="sr-only">{label}</span>}
        </>
      )}
    </span>
  );
}

/** Mean stars with the number of reviews: ★ 4.8 (12). `none` is shown before the first review. */
export function Rating({
  stars,
  count,
  label,
  none,
}: {
  stars: number | null;
  count?: number;
  /** The rating in words, for screen readers: "4.8 of 5 stars". */
  label: string;
  none: string;
}) {
  if (stars === null) return <span className="text-small text-ink-3">{none}</span>;
  return (
    <span className="figures inline-flex items-center gap-1 text-small text-ink-2">
      <span className="sr-only">{label}</span>
      <Star aria-hidden className="size-4 fill-brand text-brand-ink" />
      <span aria-hidden className="font-semibold text-ink">
        {stars.toFixed(1)}
      </span>
      {count !== undefined && <span aria-hidden>({count})</span>}
    </span>
  );
}

/** One to five stars to give, by touch or arrow keys. */
export function StarsInput({
  label,
  value,
  onChange,
  nameOf,
}: {
  label: string;
  /** 0 while nothing is chosen. */
  value: number;
  onChange: (stars: number) => void;
  /** The name of a choice: "4 of 5 stars". */
  nameOf: (stars: number) => string;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className="flex gap-1">
      {[1, 2, 3, 4, 5].map((stars) => (
        <label
          key={stars}
          className="relative grid size-12 place-items-center rounded-full has-focus-visible:outline-3 has-focus-visible:outline-brand-ink"
        >
          <input
            type="radio"
            name={name}
            aria-label={nameOf(stars)}
            className="absolute inset-0 m-0 cursor-pointer opacity-0"
            checked={stars === value}
            onChange={() => onChange(stars)}
          />
          <Star
            aria-hidden
            className={classes('size-9', stars <= value ? 'fill-brand text-brand-ink' : 'text-edge')}
            strokeWidth={1.5}
          />
        </label>
      ))}
    </div>
  );
}
