import { useId, useState, type KeyboardEvent } from 'react';
import { searchPlaces, type FoundPlace } from '#contract/geo/endpoints.ts';
import { Offline } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import type { LonLat } from '../../map/shapes.ts';
import { useSettled } from '../../core/use-settled.ts';

const offline = new Offline(false);

/** About a hundred metres: a position that trembles must not ask the server again. */
const coarse = (degrees: number) => Math.round(degrees * 1000) / 1000;

/**
 * Typing a place: the text, what was found near a point, and which result the arrow keys stand on.
 * The input keeps the focus; results are named by `optionId` for `aria-activedescendant`.
 */
export function usePlaceSearch({
  near,
  onChosen,
}: {
  near: LonLat | null;
  onChosen: (found: FoundPlace) => void;
}) {
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const wanted = text.trim();
  const settled = useSettled(wanted);
  const search = useCall(
    searchPlaces,
    { text: settled, ...(near ? { lon: coarse(near[0]), lat: coarse(near[1]) } : {}) },
    { enabled: settled !== '' && wanted !== '', keepPrevious: true, quiet: true, staleTime: 60_000 },
  );
  const places = wanted === '' ? [] : (search.data?.places ?? []);
  const at = Math.min(active, places.length - 1);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = places[at];
    if (move !== undefined && places.length > 0) setActive((at + move + places.length) % places.length);
    else if (event.key === 'Enter' && chosen) onChosen(chosen);
    else if (event.key === 'Escape' && text !== '') setText('');
    else return;
    event.preventDefault();
  };

  return {
    text,
    setText: (next: string) => {
      setText(next);
      setActive(0);
    },
    /** From here distances are measured; null where no point is known. */
    near,
    listId,
    optionId: (index: number) => `${listId}-${index}`,
    active: at,
    onKeyDown,
    places,
    /** Nothing fits what was typed, and the answer is not an older text's. */
    nothing:
      wanted !== '' && wanted === settled && search.isSuccess && !search.isFetching && places.length === 0,
    searching: wanted !== '' && places.length === 0 && (search.isFetching || wanted !== settled),
    error: wanted === '' ? null : search.fetchStatus === 'paused' ? offline : search.error,
    retry: () => void search.refetch(),
  };
}

export type PlaceSearch = ReturnType<typeof usePlaceSearch>;
