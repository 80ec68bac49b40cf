import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react';

type Box = typeof import('./dialog-box.tsx');

/** A page is drawn by then. */
const quietMs = 3000;

let loaded: Box | null = null;
async function load(): Promise<Box> {
  loaded ??= await import('./dialog-box.tsx');
  return loaded;
}

/**
 * What draws dialogs: no page needs it before it is there itself. It is read when the first one opens, or a
 * while after a page with one was opened.
 */
function useBox({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): Box | null {
  const [box, setBox] = useState(loaded);
  const lacks = box === null;
  const close = useEffectEvent(() => onOpenChange(false));
  useEffect(() => {
    if (!lacks) return;
    let isHere = true;
    const read = () =>
      void load().then(
        (next) => isHere && setBox(next),
        // The next tap tries again.
        () => isHere && open && close(),
      );
    const timer = setTimeout(read, open ? 0 : quietMs);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [open, lacks]);
  return box;
}

/**
 * Something to do or read above the page: from the bottom on a phone, in the middle on a desktop. Escape
 * closes it.
 */
export function Dialog(props: ComponentProps<Box['Dialog']>) {
  const box = useBox(props);
  return box && <box.Dialog {...props} />;
}

/** Something that needs the whole screen, such as a map: it fills it. */
export function FullDialog(props: ComponentProps<Box['FullDialog']>) {
  const box = useBox(props);
  return box && <box.FullDialog {...props} />;
}

/** Asks once before something that cannot be undone, and says what it costs. */
export function Confirm(props: ComponentProps<Box['Confirm']>) {
  const box = useBox(props);
  return box && <box.Confirm {...props} />;
}
