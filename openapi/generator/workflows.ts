// The main sequences of calls as Arazzo 1.0: which call follows which, and which value of one answer the next one takes.
// A person types the code of a mail, so signing in with one is two workflows.
type Criterion = { condition: string; context?: string; type?: 'regex' };
type Step = {
  stepId: string;
  operationId: string;
  description: string;
  parameters?: { name: string; in: 'header' | 'path' | 'query'; value: string }[];
  requestBody?: { contentType: string; payload: object };
  successCriteria: Criterion[];
  outputs?: Record<string, string>;
};
type Workflow = {
  id: string;
  summary: string;
  inputs: string[];
  steps: Step[];
  outputs?: Record<string, string>;
};

const inputs: Record<string, { description: string; default?: string }> = {
  app_key: { description: 'The key of the app: `pk_…`.' },
  secret_key: { description: "A secret key of the app's own backend: `sk_…`." },
  email: { description: 'The email of the account.' },
  password: { description: 'The password of the account.' },
  code: { description: 'The six digits of the mail.' },
  code_flow: { description: 'The output `code_flow` of the workflow `send-email-code`.' },
  collection: { description: 'The name of a collection.', default: 'notes' },
};

const json = (payload: object) => ({ contentType: 'application/json', payload });
const header = (name: string, value: string) => ({ name, in: 'header' as const, value });
const path = (name: string, value: string) => ({ name, in: 'path' as const, value });
const bearer = (token: string) => header('Authorization', `Bearer {${token}}`);
const status = (code: number): Criterion => ({ condition: `$statusCode == ${code}` });
const answers = (field: string, value: string): Criterion => ({
  condition: `$response.body#/data/${field} == ${value}`,
});

const credentials = { email: '$inputs.email', password: '$inputs.password' };
const tokens = {
  access_token: '$response.body#/data/access_token',
  refresh_token: '$response.body#/data/refresh_token',
};
const signIn: Step = {
  stepId: 'sign-in',
  operationId: 'signInWithPassword',
  description: 'Answers an access token and a refresh token.',
  requestBody: json(credentials),
  successCriteria: [status(200)],
  outputs: tokens,
};
const readProfile = (stepId: string, token: string, successCriteria: Criterion[]): Step => ({
  stepId,
  operationId: 'profileGet',
  description: 'Reads the profile with the access token.',
  parameters: [bearer(token)],
  successCriteria,
});
const collection = path('collection', '$inputs.collection');
const record = [
  collection,
  path('id', '$steps.create.outputs.id'),
  bearer('$steps.sign-in.outputs.access_token'),
];

const workflows: Workflow[] = [
  {
    id: 'account',
    summary: 'Sign up, read the profile, refresh the tokens and sign out',
    inputs: ['app_key', 'email', 'password'],
    steps: [
      {
        stepId: 'sign-up',
        operationId: 'signInSignUp',
        description: 'Creates the account and its first session.',
        requestBody: json({ ...credentials, first_name: 'Ada', last_name: 'Lovelace' }),
        successCriteria: [status(201), answers('user/first_name', "'Ada'")],
        outputs: tokens,
      },
      readProfile('profile', '$steps.sign-up.outputs.access_token', [
        status(200),
        answers('email', '$inputs.email'),
        answers('email_verified', 'false'),
      ]),
      {
        stepId: 'refresh',
        operationId: 'sessionsRefresh',
        description: 'Exchanges the refresh token, which may be used once, for new tokens.',
        requestBody: json({ refresh_token: '$steps.sign-up.outputs.refresh_token' }),
        successCriteria: [status(200)],
        outputs: tokens,
      },
      {
        stepId: 'sign-out',
        operationId: 'sessionsSignOut',
        description: 'Ends the session.',
        parameters: [bearer('$steps.refresh.outputs.access_token')],
        successCriteria: [status(204)],
      },
      readProfile('signed-out', '$steps.refresh.outputs.access_token', [
        status(401),
        { condition: "$response.body#/error/code == 'auth/invalid-token'" },
      ]),
    ],
  },
  {
    id: 'sign-in',
    summary: 'Sign in with email and password',
    inputs: ['app_key', 'email', 'password'],
    steps: [signIn, readProfile('profile', '$steps.sign-in.outputs.access_token', [status(200)])],
    outputs: { access_token: '$steps.sign-in.outputs.access_token' },
  },
  {
    id: 'send-email-code',
    summary: 'Mail a sign-in code',
    inputs: ['app_key', 'email'],
    steps: [
      {
        stepId: 'send',
        operationId: 'signInSendEmailCode',
        description: 'Mails six digits. The answer is the same whether or not the email has an account.',
        requestBody: json({ email: '$inputs.email' }),
        successCriteria: [
          status(200),
          { context: '$response.header.X-Code-Flow', condition: '^fl_', type: 'regex' },
        ],
        outputs: { code_flow: '$response.header.X-Code-Flow' },
      },
    ],
    outputs: { code_flow: '$steps.send.outputs.code_flow' },
  },
  {
    id: 'sign-in-with-email-code',
    summary: 'Sign in with the mailed code, which also verifies the email',
    inputs: ['app_key', 'email', 'code', 'code_flow'],
    steps: [
      {
        stepId: 'verify',
        operationId: 'signInWithEmailCode',
        description: 'The flow says which code is meant: others who request or guess codes cannot use it up.',
        parameters: [header('X-Code-Flow', '$inputs.code_flow')],
        requestBody: json({ email: '$inputs.email', code: '$inputs.code' }),
        successCriteria: [status(200)],
        outputs: tokens,
      },
      readProfile('profile', '$steps.verify.outputs.access_token', [
        status(200),
        answers('email_verified', 'true'),
      ]),
    ],
  },
  {
    id: 'records',
    summary: 'Declare a collection, then create, query, change and delete a record of the user',
    inputs: ['app_key', 'secret_key', 'email', 'password', 'collection'],
    steps: [
      {
        stepId: 'declare',
        operationId: 'collectionsCreate',
        description: 'Declares the collection with a secret key: users have access to their own records.',
        parameters: [bearer('$inputs.secret_key')],
        requestBody: json({ name: '$inputs.collection', access_mode: 'owner' }),
        successCriteria: [status(201)],
      },
      signIn,
      {
        stepId: 'create',
        operationId: 'dataCreate',
        description: 'Creates a record that the user owns.',
        parameters: [collection, bearer('$steps.sign-in.outputs.access_token')],
        requestBody: json({ fields: { title: 'Groceries', done: false } }),
        successCriteria: [status(201), answers('version', '1')],
        outputs: { id: '$response.body#/data/id' },
      },
      {
        stepId: 'query',
        operationId: 'dataQuery',
        description: 'Finds the record by one of its fields.',
        parameters: [collection, bearer('$steps.sign-in.outputs.access_token')],
        requestBody: json({ where: [{ field: 'done', op: '==', value: false }] }),
        successCriteria: [status(200), answers('items/0/id', '$steps.create.outputs.id')],
      },
      {
        stepId: 'change',
        operationId: 'dataMerge',
        description: 'Changes one field and leaves the others.',
        parameters: record,
        requestBody: json({ fields: { done: true } }),
        successCriteria: [status(200), answers('version', '2'), answers('fields/title', "'Groceries'")],
      },
      {
        stepId: 'delete',
        operationId: 'dataDelete',
        description: 'Deletes the record.',
        parameters: record,
        successCriteria: [status(204)],
      },
      {
        stepId: 'gone',
        operationId: 'dataGet',
        description: 'The record does not exist any more.',
        parameters: record,
        successCriteria: [status(404)],
      },
    ],
  },
  {
    id: 'admin-users',
    summary: "Find a user with a secret key, and set the user's custom claims",
    inputs: ['app_key', 'secret_key', 'email'],
    steps: [
      {
        stepId: 'search',
        operationId: 'usersList',
        description: 'Finds the user by the complete email.',
        parameters: [bearer('$inputs.secret_key'), { name: 'email', in: 'query', value: '$inputs.email' }],
        successCriteria: [status(200), answers('items/0/email', '$inputs.email')],
        outputs: { uid: '$response.body#/data/items/0/uid' },
      },
      {
        stepId: 'claims',
        operationId: 'usersSetClaims',
        description: 'Sets the claims that later access tokens have.',
        parameters: [bearer('$inputs.secret_key'), path('uid', '$steps.search.outputs.uid')],
        requestBody: json({ claims: { role: 'editor' } }),
        successCriteria: [status(200), answers('claims/role', "'editor'")],
      },
    ],
  },
];

/** `version` is that of the OpenAPI document whose operations the workflows name. */
export function workflowsDocument(version: string): object {
  return {
    arazzo: '1.0.1',
    info: {
      title: 'Workflows of the Foyer API',
      summary: 'Which call follows which, and which value of one answer the next one takes.',
      version,
    },
    sourceDescriptions: [{ name: 'foyer', type: 'openapi', url: 'v2.json' }],
    workflows: workflows.map(({ id, summary, inputs: names, steps, outputs }) => ({
      workflowId: id,
      summary,
      inputs: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string', ...inputs[name] }])),
        required: names.filter((name) => inputs[name]?.default === undefined),
      },
      parameters: [header('X-App-Key', '$inputs.app_key')],
      steps,
      ...(outputs && { outputs }),
    })),
  };
}
