import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../ui/classes.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { useHoldFirstScreen } from './use-hold-first-screen.ts';

/** However slow the rest is, what has been read is shown after this. */
const mostMs = 4000;
/** The page does not wait for the reads of the shell. */
const readsOfShell = ['/app/', '/announcement/', '/im/', '/notification/'];
/** Whether a page waits for a read before it is shown. */
export const holdsUpPage = (path: unknown, data: unknown): boolean =>
  data === undefined && !readsOfShell.some((each) => String(path).startsWith(each));
/** A part that was just read may read one more thing. */
const quietMs = 30;

/**
 * Shows a page at once, when all its parts have been read: a part that came in later would push those below
 * it down while they are being read or tapped. Until then it shows the skeleton.
 */
export function Settled({
  skeleton = { kind: 'detail' },
  children,
}: {
  /** The shape of what comes. */
  skeleton?: Omit<ComponentProps<typeof Skeleton>, 'label'>;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const [settled, setSettled] = useState(false);
  const reading =
    useIsFetching({
      predicate: ({ state, queryKey: [path] }) => holdsUpPage(path, state.data),
    }) > 0;
  useEffect(() => {
    if (settled || reading) return undefined;
    const timer = setTimeout(() => setSettled(true), quietMs);
    return () => clearTimeout(timer);
  }, [settled, reading]);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), mostMs);
    return () => clearTimeout(timer);
  }, []);
  useHoldFirstScreen(!settled);
  return (
    <div className="relative flex flex-1 flex-col">
      {!settled && (
        <div className="absolute inset-x-0 top-0">
          <Skeleton label={t('loading')} {...skeleton} />
        </div>
      )}
      <div className={classes('flex flex-1 flex-col gap-5', !settled && 'invisible')}>{children}</div>
    </div>
  );
}
