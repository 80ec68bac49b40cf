/** Larger pictures hold no more of a code, only more work. */
const mostPixels = 1600;

/** The text of the QR code in a picture; null where there is none, or where it is no picture. */
export async function readPicture(file: Blob): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height));
    const [width, height] = [bitmap.width, bitmap.height].map((side) =>
      Math.max(1, Math.round(side * scale)),
    );
    const canvas = new OffscreenCanvas(width!, height!);
    const context = canvas.getContext('2d');
    if (context === null) return null;
    // A picture with holes is read as if it lay on paper.
    context.fillStyle = '#FFFFFF';
    context.fillRect(0, 0, width!, height!);
    context.drawImage(bitmap, 0, 0, width!, height!);
    bitmap.close();
    const { decodeQR } = await import('qr/decode.js');
    return decodeQR(context.getImageData(0, 0, width!, height!), { effort: 4, timeLimit: 3000 });
  } catch {
    return null;
  }
}
