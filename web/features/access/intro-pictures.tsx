/** What all three drawings share: lines of ink on nothing, one green for what matters. */
const frame = {
  viewBox: '0 0 320 240',
  fill: 'none',
  strokeWidth: 4,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
  className: 'h-auto w-full max-w-[min(360px,90cqb-400px)] stroke-ink lying:max-w-[min(100%,56cqb)]',
} as const;

/** A car from the side, its wheels on the line y = 0. */
function Car({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} className="fill-surface">
      <path d="M-50 -10 v-18 q0 -8 8 -10 l14 -3 l14 -20 q3 -5 9 -5 h26 q6 0 10 4 l18 21 q9 2 9 11 v20 z" />
      <path d="M-22 -42 h66 M8 -64 v22" />
      <circle cx="-26" cy="-10" r="11" />
      <circle cx="34" cy="-10" r="11" />
    </g>
  );
}

/** A person as a head above shoulders, the shoulders ending on the line y = 0. */
function Figure({ x, y, green = false }: { x: number; y: number; green?: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`} className={green ? 'fill-brand' : 'fill-surface'}>
      <circle cx="0" cy="-40" r="11" />
      <path d="M-20 0 v-8 q0 -14 14 -14 h12 q14 0 14 14 v8 z" />
    </g>
  );
}

/** Two ways become one: a car picks a passenger up where the ways meet. */
export function WaysPicture() {
  return (
    <svg {...frame}>
      <path d="M28 206 C90 206 92 150 150 150 H292" />
      <path d="M96 36 C96 90 108 150 150 150" className="stroke-brand" strokeDasharray="1 11" />
      <path d="M150 150 H292" className="stroke-brand" strokeWidth="8" />
      <circle cx="28" cy="206" r="9" className="fill-surface" />
      <circle cx="150" cy="150" r="9" className="fill-brand" />
      <path
        d="M292 150 c-16 -20 -22 -28 -22 -40 a22 22 0 0 1 44 0 c0 12 -6 20 -22 40 z"
        className="fill-ink"
      />
      <circle cx="292" cy="109" r="7" className="fill-surface stroke-surface" />
      <Figure x={96} y={66} green />
      <Car x={203} y={142} />
    </svg>
  );
}

/** The detour as a clock: a few minutes more on the way, and the walk to the corner. */
export function MinutesPicture() {
  return (
    <svg {...frame}>
      <path d="M24 190 H118 M202 190 H296" />
      <path d="M118 190 C118 120 202 120 202 190" className="stroke-brand" strokeWidth="6" />
      <path d="M118 190 H202" strokeDasharray="1 11" />
      <circle cx="24" cy="190" r="9" className="fill-surface" />
      <circle cx="160" cy="137" r="9" className="fill-brand" />
      <circle cx="296" cy="190" r="9" className="fill-ink" />
      <g className="fill-surface">
        <circle cx="160" cy="66" r="44" />
      </g>
      <path d="M160 66 L160 22 A44 44 0 0 1 188.300 32.300 Z" className="fill-brand stroke-none" />
      <path d="M160 38 V66 L178 78" />
      <path d="M160 22 v6 M160 104 v6 M116 66 h6 M198 66 h6" />
    </svg>
  );
}

/** Two people and what they know of each other: stars and a word. */
export function PeoplePicture() {
  const star =
    'l4.700 9.500 10.500 1.500 -7.600 7.400 1.800 10.400 -9.400 -4.900 -9.400 4.900 1.800 -10.400 -7.600 -7.400 10.500 -1.500 z';
  return (
    <svg {...frame}>
      <path d="M40 214 H280" className="stroke-line-2" />
      <g transform="translate(96 214) scale(1.7)" strokeWidth="2.4">
        <Figure x={0} y={0} green />
      </g>
      <g transform="translate(224 214) scale(1.7)" strokeWidth="2.4">
        <Figure x={0} y={0} />
      </g>
      <path
        d="M40 34 h112 q14 0 14 14 v38 q0 14 -14 14 h-36 l-18 18 v-18 h-58 q-14 0 -14 -14 v-38 q0 -14 14 -14 z"
        className="fill-surface"
      />
      <g className="fill-brand" strokeWidth="3">
        <path d={`M60 54 ${star}`} />
        <path d={`M96 54 ${star}`} />
        <path d={`M132 54 ${star}`} />
      </g>
      <path
        d="M204 60 h76 q12 0 12 12 v22 q0 12 -12 12 h-34 l-16 16 v-16 h-26 q-12 0 -12 -12 v-22 q0 -12 12 -12 z"
        className="fill-surface"
      />
      <path d="M214 76 h56 M214 90 h34" />
      <path d="M146 190 h28 m-9 -9 l9 9 l-9 9" className="stroke-brand" />
    </svg>
  );
}
