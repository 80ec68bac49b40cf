import { useNavigate } from '@tanstack/react-router';
import { usePageQuery } from '../../core/navigation.ts';

/**
 * The step of a flow on one page, kept in its address: back goes one step back, and a reload stays where it
 * was. `go(null)` is the first step.
 */
export function useStep<S extends string>(known: readonly S[]): [S | null, (step: S | null) => void] {
  const { step } = usePageQuery();
  const navigate = useNavigate();
  return [
    known.find((each) => each === step) ?? null,
    (next) =>
      void navigate({
        to: '.',
        search: (query: Record<string, string | undefined>) => ({ ...query, step: next ?? undefined }),
      }),
  ];
}
