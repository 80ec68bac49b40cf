import attributes from './attributes.json' with { type: 'json' };

/** The schema ids of RFC 7643 and 7644. */
export const schemaIds = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const;

/** The most results in one answer. */
export const mostResults = 200;

/** The SCIM features that this server supports. */
export const serviceProviderConfig = (baseUrl: string) => ({
  schemas: [schemaIds.config],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'An API key with the scope scim, as a bearer token.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

export const resourceTypes = (baseUrl: string) =>
  (['User', 'Group'] as const).map((name) => ({
    schemas: [schemaIds.resourceType],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: name === 'User' ? schemaIds.user : schemaIds.group,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  }));

interface Attribute {
  name: string;
  description: string;
  mutability?: string;
  subAttributes?: readonly Attribute[];
  [property: string]: unknown;
}

/** An attribute of `attributes.json` with what most of them are. */
const complete = ({ name, description, subAttributes, ...more }: Attribute): Attribute => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
  ...(subAttributes && { subAttributes: subAttributes.map(complete) }),
});

export const schemas = (baseUrl: string) =>
  [
    { id: schemaIds.user, name: 'User', description: 'A person.', attributes: attributes.User.map(complete) },
    {
      id: schemaIds.group,
      name: 'Group',
      description: 'A group of people.',
      attributes: attributes.Group.map(complete),
    },
  ].map((each) => ({
    schemas: [schemaIds.schema],
    ...each,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${each.id}` },
  }));
