import { useEffect, useState, type RefObject } from 'react';

export type CameraState = 'starting' | 'watching' | 'denied' | 'missing';

/** What is behind the device, sharp enough for a code at arm's length. */
const wanted: MediaTrackConstraints = {
  facingMode: 'environment',
  width: { ideal: 1280 },
  height: { ideal: 720 },
};

/**
 * Watches a video of the rear camera for a QR code while `isOn`; `onText` hears each code once, and again
 * only after another one was seen. The camera is let go when the component goes.
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  isOn: boolean,
  onText: (text: string) => void,
): CameraState {
  const [state, setState] = useState<CameraState>('starting');
  useEffect(() => {
    const player = video.current;
    if (!isOn || player === null) return undefined;
    let isGone = false;
    let stop = () => {
      isGone = true;
    };
    const start = async () => {
      // Without a secure connection the browser has no camera to give.
      if (!('mediaDevices' in navigator)) {
        setState('missing');
        return;
      }
      setState('starting');
      const { QRCamera, QRCanvas, frameLoop } = await import('qr/dom.js');
      const stream = await navigator.mediaDevices.getUserMedia({ video: wanted });
      const camera = new QRCamera(player, stream);
      if (isGone) {
        camera.stop();
        return;
      }
      setState('watching');
      const canvas = new QRCanvas();
      let seen = '';
      const cancel = frameLoop(() => {
        void Promise.resolve(camera.readFrame(canvas, true)).then(
          (text) => {
            if (isGone || typeof text !== 'string' || text === seen) return;
            seen = text;
            onText(text);
          },
          // A frame without a code is ignored.
          () => {},
        );
      });
      stop = () => {
        isGone = true;
        cancel();
        camera.stop();
      };
    };
    start().catch((error: unknown) => {
      if (isGone) return;
      const name = error instanceof DOMException ? error.name : '';
      setState(name === 'NotAllowedError' || name === 'SecurityError' ? 'denied' : 'missing');
    });
    return () => stop();
  }, [video, isOn, onText]);
  return state;
}
