/** Made by the build: every package that the app and its server are made of. */
declare module 'virtual:licenses' {
  export const packages: readonly (readonly [name: string, version: string, license: string])[];
}
