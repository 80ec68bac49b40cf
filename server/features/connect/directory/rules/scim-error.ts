/** The words of RFC 7644 for what is wrong with a request. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A request of a directory that is answered with an error: an HTTP status, and a sentence for its log. */
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
