/** A ref for the one field a page or step is about: it has the focus when it appears. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
