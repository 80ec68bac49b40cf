/** The part of oidc-provider that the tests use, which comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface Account {
    accountId: string;
    claims(): Promise<Record<string, unknown>>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
  }
}
