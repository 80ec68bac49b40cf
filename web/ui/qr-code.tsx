import { QRCodeSVG } from 'qrcode.react';

/**
 * A code for a camera, in the app's ink.
 * @param size its width in pixels.
 * @param marginSize the quiet ground around it, in modules of the code.
 */
export const QrCode = ({
  value,
  title,
  size,
  marginSize = 2,
}: {
  value: string;
  title: string;
  size: number;
  marginSize?: number;
}) => (
  <QRCodeSVG
    value={value}
    title={title}
    size={size}
    level="M"
    marginSize={marginSize}
    fgColor="#1F2430"
    bgColor="#FFFFFF"
  />
);
