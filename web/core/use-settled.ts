import { useEffect, useState } from 'react';

/** A value once it has not changed for a moment: typing must not ask the server at every letter. */
export function useSettled<T>(value: T, stillMs = 180): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), stillMs);
    return () => clearTimeout(timer);
  }, [value, stillMs]);
  return settled;
}
