import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/**
 * A line drawing: a road that winds through hills to a sign, which shows the icon of what the page is about.
 * `tilted` has the sign blown over: something went wrong. `arrived` has a car at it.
 */
export function Roadside({
  icon,
  mood = 'calm',
}: {
  /** A Lucide icon. */
  icon: ReactNode;
  mood?: 'calm' | 'tilted' | 'arrived';
}) {
  return (
    <span aria-hidden className="relative block h-32 w-50 text-ink">
      <svg
        viewBox="0 0 200 128"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="size-full"
      >
        <circle cx="158" cy="30" r="12" className="fill-brand-soft" />
        <path
          d="M8 92 C34 62 60 62 84 84 C104 60 140 54 192 88 L192 104 L8 104 Z"
          className="fill-brand-soft"
        />
        <path d="M8 92 C34 62 60 62 84 84 C104 60 140 54 192 88" className="stroke-brand" strokeWidth="2.5" />
        <Tree x={28} y={84} />
        <Tree x={172} y={90} />
        <path
          d="M40 120 C70 112 52 100 84 96 C104 93 96 86 116 82"
          className="stroke-ink"
          strokeWidth="2.5"
        />
        <path
          d="M84 120 C104 112 92 102 116 97 C132 93 122 87 132 84"
          className="stroke-ink"
          strokeWidth="2.5"
        />
        <path
          d="M62 119 C86 111 74 101 100 96.500 C116 93 110 87 124 83"
          className="stroke-brand"
          strokeWidth="2"
          strokeDasharray="5 6"
        />
        <path d="M10 121 L190 121" className="stroke-line-2" strokeWidth="2.5" />
        {mood === 'arrived' && <Car />}
        <g transform={mood === 'tilted' ? 'rotate(11 100 120)' : undefined}>
          <path d="M100 121 L100 62" className="stroke-ink" strokeWidth="3" />
          <rect
            x="74"
            y="12"
            width="52"
            height="50"
            rx="14"
            className={classes('stroke-ink', mood === 'arrived' ? 'fill-brand' : 'fill-surface')}
            strokeWidth="2.5"
          />
        </g>
      </svg>
      <span
        className={classes(
          'absolute left-[74px] top-3 grid h-[50px] w-[52px] place-items-center [&>svg]:size-7',
          mood === 'tilted' && 'origin-[26px_108px] rotate-[11deg] text-danger',
        )}
      >
        {icon}
      </span>
    </span>
  );
}

function Tree({ x, y }: { x: number; y: number }) {
  return (
    <g className="stroke-ink" strokeWidth="2.5">
      <path d={`M${x} ${y + 20} L${x} ${y}`} />
      <circle cx={x} cy={y - 6} r="9" className="fill-surface" />
    </g>
  );
}

function Car() {
  return (
    <g className="stroke-ink" strokeWidth="2.5">
      <path
        d="M136 116 L136 106 Q136 102 140 101 L146 100 L151 91 Q153 88 157 88 L170 88 Q174 88 176 91 L181 100 Q188 101 188 106 L188 116 Z"
        className="fill-brand"
      />
      <path d="M150 100 L180 100 M164 88 L164 100" />
      <circle cx="148" cy="117" r="5.500" className="fill-surface" />
      <circle cx="177" cy="117" r="5.500" className="fill-surface" />
    </g>
  );
}
