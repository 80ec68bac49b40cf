import { useNavigate } from '@tanstack/react-router';
import { usePageSearch } from '../../core/navigation.ts';
import type { PageSearch } from '../../core/page-search.ts';

type Step = NonNullable<PageSearch<'/pages/auth/signin'>['step']>;

/**
 * The step of a flow on one page, in its address: back goes one step back, and a reload stays where it was.
 * `go(null)` is the first step.
 */
export function useStep<S extends Step>(known: readonly S[]): [S | null, (step: S | null) => void] {
  const { step } = usePageSearch('/pages/auth/signin');
  const navigate = useNavigate();
  return [
    known.find((each) => each === step) ?? null,
    (next) =>
      void navigate({
        to: '.',
        search: (search) => ({ ...search, step: next ?? undefined }),
      }),
  ];
}
