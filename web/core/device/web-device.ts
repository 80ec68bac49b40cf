import type { Device, DevicePosition } from './device.ts';

const positionOf = ({ coords }: GeolocationPosition): DevicePosition => ({
  lon: coords.longitude,
  lat: coords.latitude,
  headingDegrees: coords.heading === null || Number.isNaN(coords.heading) ? null : coords.heading,
});

/** What a browser has of a device. */
export const webDevice: Device = {
  position: ({ withinMs, maxAgeMs }) =>
    new Promise((resolve) => {
      if (!('geolocation' in navigator)) {
        resolve(null);
        return;
      }
      navigator.geolocation.getCurrentPosition(
        (found) => resolve(positionOf(found)),
        () => resolve(null),
        { enableHighAccuracy: true, timeout: withinMs, maximumAge: maxAgeMs },
      );
    }),

  follow({ moved, lost }) {
    if (!('geolocation' in navigator)) return () => {};
    const watch = navigator.geolocation.watchPosition(
      (found) => moved(positionOf(found)),
      ({ code, PERMISSION_DENIED }) => lost(code === PERMISSION_DENIED ? 'refused' : 'unknown'),
      { enableHighAccuracy: true, maximumAge: 1000 },
    );
    return () => navigator.geolocation.clearWatch(watch);
  },

  get canShare() {
    return 'share' in navigator;
  },

  async share(what) {
    try {
      await navigator.share(what);
      return 'shared';
    } catch (error) {
      return error instanceof DOMException && error.name === 'AbortError' ? 'left' : 'failed';
    }
  },

  showBadge(count) {
    if (!('setAppBadge' in navigator)) return;
    // Refused where the app is not on a home screen.
    void (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)).catch(() => {});
  },

  push: async () => (await import('./web-push.ts')).webPush,

  async closeNotices(tag) {
    if (!('serviceWorker' in navigator)) return;
    const registration = await navigator.serviceWorker.getRegistration();
    const shown = await registration?.getNotifications(tag === undefined ? {} : { tag });
    for (const each of shown ?? []) each.close();
  },

  // The service worker opens the page of a notification by itself.
  followLinks: () => {},
  leaveFor: (url) => location.assign(url),
  idToken: async () => null,
};
