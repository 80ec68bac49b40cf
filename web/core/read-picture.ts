/** Larger pictures hold no more of a code, only more work. */
const mostPixels = 1600;
/**
 * A code of few pixels a square is read at twice or three times its size where it is not at its own; a coarse
 * photo at half.
 */
const sizes = [1, 2, 3, 0.5];

/** The text of the QR code in a picture; null where there is none, or where it is no picture. */
export async function readPicture(file: Blob): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { decodeQR } = await import('qr/decode.js');
    const scale = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height));
    for (const size of sizes) {
      const [width, height] = [bitmap.width, bitmap.height].map((side) =>
        Math.max(1, Math.round(side * scale * size)),
      );
      if (Math.max(width!, height!) > mostPixels) continue;
      try {
        return decodeQR(drawn(bitmap, width!, height!), { effort: 4, timeLimit: 2000 });
      } catch {
        // Not at this size.
      }
    }
    return null;
  } catch {
    return null;
  }
}

function drawn(bitmap: ImageBitmap, width: number, height: number): ImageData {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (context === null) throw new Error('This browser draws nothing.');
  // A picture with holes is read as if it lay on paper.
  context.fillStyle = '#FFFFFF';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
