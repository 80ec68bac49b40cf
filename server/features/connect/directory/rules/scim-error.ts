/** The error types of RFC 7644. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An error that answers a directory's request: an HTTP status, and a sentence for the directory's log. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

export const scimErrorBody = ({ status, scimType, message }: ScimError) => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType === null ? {} : { scimType }),
  detail: message,
});
