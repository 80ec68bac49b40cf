/** A change that a HEIF file asks of its picture: quarter turns to the left, or a flip. */
export type Transform = { turnsLeft: number } | { flip: 'sideways' | 'upsideDown' };

/** EXIF orientations of a picture turned right by 0 to 3 quarters; then of one first flipped sideways. */
const turned = [1, 6, 3, 8] as const;
const flippedThenTurned = [2, 7, 4, 5] as const;

/** The EXIF orientation (1 to 8) that says the same as these changes, made in their order. */
export function orientationOf(transforms: readonly Transform[]): number {
  let isFlipped = false;
  let turnsRight = 0;
  for (const transform of transforms) {
    if ('turnsLeft' in transform) turnsRight = (turnsRight - transform.turnsLeft + 8) % 4;
    else {
      // A flip after turns is the same flip before turns to the other side; upside down is half a turn more.
      isFlipped = !isFlipped;
      turnsRight = ((transform.flip === 'sideways' ? 4 : 6) - turnsRight) % 4;
    }
  }
  return (isFlipped ? flippedThenTurned : turned)[turnsRight]!;
}
