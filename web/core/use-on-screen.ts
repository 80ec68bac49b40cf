import { useEffect, useState, type RefObject } from 'react';

/** Whether an element has been on the screen, or at its edge; what an empty one stands for may come then. */
export function useOnScreen(place: RefObject<Element | null>): boolean {
  const [isReached, setReached] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isReached) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setReached(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isReached]);
  return isReached;
}
