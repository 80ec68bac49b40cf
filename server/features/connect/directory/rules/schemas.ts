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

type Mutability = 'readWrite' | 'readOnly' | 'immutable';

const attribute = (name: string, description: string, more: Record<string, unknown> = {}) => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite' satisfies Mutability,
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const userAttributes = [
  attribute('userName', 'The name that the directory gives a person.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', 'The person’s name in two parts.', {
    type: 'complex',
    subAttributes: [
      attribute('givenName', 'First name.'),
      attribute('familyName', 'Last name.'),
      attribute('formatted', 'Both.', { mutability: 'readOnly' satisfies Mutability }),
    ],
  }),
  attribute('displayName', 'The name that others see.'),
  attribute('preferredLanguage', 'Read when the account is made: en or zh.'),
  attribute('active', 'Whether the person may sign in.', { type: 'boolean' }),
  attribute('emails', 'The address of the account, read when it is made.', {
    type: 'complex',
    multiValued: true,
    mutability: 'immutable' satisfies Mutability,
    subAttributes: [
      attribute('value', 'The address.'),
      attribute('type', 'work.'),
      attribute('primary', 'true.', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'The groups that the person is in.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly' satisfies Mutability,
    subAttributes: [
      attribute('value', 'The id of the group.', { mutability: 'readOnly' satisfies Mutability }),
      attribute('display', 'Its name.', { mutability: 'readOnly' satisfies Mutability }),
    ],
  }),
];

const groupAttributes = [
  attribute('displayName', 'The name of the group, by which it is given a role.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('members', 'The people in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of a person.', { mutability: 'immutable' satisfies Mutability }),
      attribute('type', 'User.', { mutability: 'immutable' satisfies Mutability }),
    ],
  }),
];

export const schemas = (baseUrl: string) =>
  [
    { id: schemaIds.user, name: 'User', description: 'A person.', attributes: userAttributes },
    { id: schemaIds.group, name: 'Group', description: 'A group of people.', attributes: groupAttributes },
  ].map((each) => ({
    schemas: [schemaIds.schema],
    ...each,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${each.id}` },
  }));
