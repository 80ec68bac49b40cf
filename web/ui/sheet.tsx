import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { classes } from './classes.ts';
import { useDesktop, useFewLines, useLying } from './media.ts';

export type SheetSnap = 'peek' | 'half' | 'full';

const order: readonly SheetSnap[] = ['peek', 'half', 'full'];
const shares: Record<SheetSnap, number> = { peek: 0.24, half: 0.52, full: 0.92 };
/** Where few lines fit, half of them would hold the heading and the button alone. */
const sharesOfFew: Record<SheetSnap, number> = { peek: 0.3, half: 0.72, full: 0.92 };

/** How many pixels at the bottom of the map lie under the sheet; the map keeps what matters above them. */
export const CoveredContext = createContext<{ covered: number; setCovered: (px: number) => void }>({
  covered: 0,
  setCovered: () => {},
});

/** The height of the sheet that lies on the map, in pixels; 0 on a desktop. */
export const useCovered = (): number => useContext(CoveredContext).covered;

export interface SheetProps {
  /** Accessible name of the region. */
  label: string;
  /** Names of the grip button's two directions. */
  words: { bigger: string; smaller: string };
  /** Its height at first. */
  initial?: SheetSnap;
  /** Which heights it may rest at, low to high. */
  snaps?: readonly SheetSnap[];
  /** Given with `onSnap`, the parent decides its height. */
  snap?: SheetSnap;
  onSnap?: (snap: SheetSnap) => void;
  /** Stays at the top while the content scrolls; dragging it moves the sheet. */
  header?: ReactNode;
  /** The next action: stays at the bottom, inside the safe area. */
  action?: ReactNode;
  children: ReactNode;
}

/**
 * The task over a map. On a phone a panel from the bottom with snap points, moved by its grip or header, or
 * by arrow keys on the grip; the rest of the map stays usable. From 1024 px, and on a phone that lies on its
 * side, it is the pane left of the map.
 */
export function Sheet(props: SheetProps) {
  const desktop = useDesktop();
  const lying = useLying();
  return desktop || lying ? <SidePane {...props} /> : <BottomSheet {...props} />;
}

function SidePane({ label, header, action, children }: SheetProps) {
  const few = useFewLines();
  if (few)
    return (
      <section aria-label={label} className="flex h-full min-h-0 flex-1 flex-col bg-surface">
        <Pane className="flex flex-col px-4 pt-2">
          {header && <div className="pb-2">{header}</div>}
          {children}
          {action && (
            <div className="sticky -bottom-6 mt-auto -mb-6 bg-surface pt-3 pb-4 empty:hidden large-text:static">
              {action}
            </div>
          )}
        </Pane>
      </section>
    );
  return (
    <section aria-label={label} className="flex h-full min-h-0 flex-1 flex-col bg-surface">
      {header && <div className="shrink-0 px-5 pt-4 pb-2">{header}</div>}
      <Pane className="px-5 pt-2">{children}</Pane>
      {action && <div className="shrink-0 border-t border-line px-5 py-4 empty:hidden">{action}</div>}
    </section>
  );
}

/**
 * Dragging the sheet by its head: it follows the finger, and rests at the height nearest to where a flick
 * carries it.
 */
function useSheetDrag({
  sheet,
  snaps,
  share,
  onTap,
  onRest,
}: {
  sheet: RefObject<HTMLElement | null>;
  snaps: readonly SheetSnap[];
  share: Record<SheetSnap, number>;
  /** The grip was touched and not dragged. */
  onTap: () => void;
  onRest: (snap: SheetSnap) => void;
}) {
  const drag = useRef<{
    onGrip: boolean;
    startY: number;
    startHeight: number;
    lastY: number;
    speed: number;
    at: number;
  } | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const room = () => sheet.current?.parentElement?.clientHeight ?? innerHeight;

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const isControl = target.closest('a, input, select, textarea, button:not([data-grip])') !== null;
    if (isControl || event.button !== 0) return;
    drag.current = {
      onGrip: target.closest('[data-grip]') !== null,
      startY: event.clientY,
      startHeight: sheet.current?.clientHeight ?? 0,
      lastY: event.clientY,
      speed: 0,
      at: event.timeStamp,
    };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const grip = drag.current;
    if (!grip) return;
    const elapsed = Math.max(1, event.timeStamp - grip.at);
    grip.speed = (grip.lastY - event.clientY) / elapsed;
    grip.lastY = event.clientY;
    grip.at = event.timeStamp;
    const height = grip.startHeight + grip.startY - event.clientY;
    if (Math.abs(grip.startY - event.clientY) > 4) {
      setDragged(Math.max(room() * share.peek * 0.6, Math.min(room() * share.full, height)));
    }
  };
  const onPointerUp = () => {
    const grip = drag.current;
    drag.current = null;
    if (!grip) return;
    if (dragged === null) {
      if (grip.onGrip) onTap();
      return;
    }
    // A flick carries on a little: where it would come to rest decides.
    const resting = (dragged + grip.speed * 180) / room();
    const nearest = [...snaps].toSorted(
      (a, b) => Math.abs(share[a] - resting) - Math.abs(share[b] - resting),
    )[0];
    setDragged(null);
    if (nearest) onRest(nearest);
  };
  return {
    /** Its height in pixels while it is dragged. */
    dragged,
    gestures: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}

function BottomSheet({
  label,
  words,
  initial = 'half',
  snaps = order,
  snap,
  onSnap,
  header,
  action,
  children,
}: SheetProps) {
  const [own, setOwn] = useState(initial);
  const current = snap ?? own;
  const sheet = useRef<HTMLElement>(null);
  const { setCovered } = useContext(CoveredContext);
  const share = useFewLines() ? sharesOfFew : shares;

  const moveTo = (next: SheetSnap) => {
    setOwn(next);
    onSnap?.(next);
  };
  const neighbor = (by: 1 | -1) => {
    const next = snaps[snaps.indexOf(current) + by];
    if (next) moveTo(next);
  };

  const atTop = current === snaps.at(-1);
  const toggle = () => neighbor(atTop ? -1 : 1);

  const { dragged, gestures } = useSheetDrag({ sheet, snaps, share, onTap: toggle, onRest: moveTo });

  useLayoutEffect(() => {
    const height = sheet.current?.parentElement?.clientHeight ?? innerHeight;
    if (dragged === null) setCovered(Math.round(height * Math.min(share[current], share.half)));
  }, [current, dragged, setCovered, share]);
  useEffect(() => () => setCovered(0), [setCovered]);

  return (
    <section
      ref={sheet}
      aria-label={label}
      // The class sets the usual value: the HTML of a first screen contains no styles
      // (draw-first-screens.ts).
      style={{ height: dragged ?? `${share[current] * 100}%` }}
      className={classes(
        'absolute inset-x-0 bottom-0 z-10 mx-auto flex h-[52%] max-w-(--column) flex-col rounded-t-sheet bg-surface shadow-sheet',
        dragged === null && 'transition-[height] duration-200 ease-out',
      )}
    >
      <div className="shrink-0 cursor-grab touch-none active:cursor-grabbing" {...gestures}>
        {snaps.length > 1 ? (
          <Grip
            label={atTop ? words.smaller : words.bigger}
            expanded={current !== snaps[0]}
            onToggle={toggle}
            onStep={neighbor}
          />
        ) : (
          // One height to rest at: nothing to grip.
          <div className="h-4" />
        )}
        {header && <div className="px-4 pb-2">{header}</div>}
      </div>
      <Pane className="px-4 pt-1">{children}</Pane>
      {action && (
        <div className="shrink-0 border-t border-line bg-surface px-4 pt-3 pb-[calc(var(--bottom-inset,0px)+12px)] empty:hidden">
          {action}
        </div>
      )}
    </section>
  );
}

/** Moves the sheet by its arrow keys, or by a click from the keyboard. */
function Grip({
  label,
  expanded,
  onToggle,
  onStep,
}: {
  label: string;
  expanded: boolean;
  onToggle: () => void;
  onStep: (by: 1 | -1) => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp') onStep(1);
    else if (event.key === 'ArrowDown') onStep(-1);
    else return;
    event.preventDefault();
  };
  return (
    <button
      type="button"
      data-grip
      aria-label={label}
      aria-expanded={expanded}
      className="relative mx-auto grid h-6 w-24 place-items-center rounded-full after:absolute after:inset-x-0 after:-inset-y-2.5"
      onKeyDown={onKeyDown}
      // Fingers and mice are captured above for dragging; this is the keyboard's click.
      onClick={(event) => event.detail === 0 && onToggle()}
    >
      <span aria-hidden className="h-1 w-10 rounded-full bg-line-2" />
    </button>
  );
}

/** What scrolls in a sheet. The keyboard reaches it even where nothing in it can be focused. */
function Pane({ className, children }: { className: string; children: ReactNode }) {
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => pane.current?.setAttribute('tabindex', '0'), []);
  return (
    <div
      ref={pane}
      className={classes('pane min-h-0 flex-1 pb-6 focus-visible:-outline-offset-2', className)}
    >
      {children}
    </div>
  );
}

/** Gives a map screen the space that a Sheet reports and a map reads. */
export function CoveredSpace({ children }: { children: ReactNode }) {
  const [covered, setCovered] = useState(0);
  return <CoveredContext.Provider value={{ covered, setCovered }}>{children}</CoveredContext.Provider>;
}
