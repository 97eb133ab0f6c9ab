import type { ApiDescription, Operation } from './description.ts';

type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description: string;
  example?: unknown;
};
type Content = {
  schema?: { $ref?: string };
  example?: object;
  examples?: Record<string, { value: object }>;
};
type Form = {
  required: string[];
  properties: Record<string, { format?: string; examples?: unknown[] }>;
};
type Readable = Operation & {
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
};
type Call = {
  method: string;
  path: string;
  parameters: Parameter[];
  body: object | undefined;
  form: Form | undefined;
  /** Whether the response is a file. */
  isDownload: boolean;
};

const ofTenant = '/api/{tenant}';

/** Calls of the TypeScript client for operations of files. The others read and write JSON. */
const fileCalls: Record<string, string> = {
  uploadMedia: [
    "const file = await openAsBlob('invoice.pdf', { type: 'application/pdf' });",
    'const { media_id } = await uploadMedia(parley, {',
    "  type: 'document',",
    '  file,',
    "  filename: 'invoice.pdf',",
    '});',
  ].join('\n'),
  getMedia: "const { stream, mimeType } = await downloadMedia(parley, 'message-42');",
};

/**
 * Adds to each operation how a program calls it, with curl and with the TypeScript client. The examples have the
 * address of this service and a tenant.
 */
export function addSamples(
  description: ApiDescription,
  { url, tenant }: { url: string; tenant: string },
): ApiDescription {
  const paths = Object.entries(description.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        path.startsWith(ofTenant)
          ? sampled(description, operation, path, method.toUpperCase(), { url, tenant })
          : operation,
      ]),
    ),
  ]);
  return { ...description, paths: Object.fromEntries(paths) };
}

function sampled(
  { components }: ApiDescription,
  operation: Readable,
  path: string,
  method: string,
  service: { url: string; tenant: string },
): Operation {
  const content = operation.requestBody?.content ?? {};
  const formName = content['multipart/form-data']?.schema?.$ref?.split('/').at(-1);
  const success = (operation.responses['200'] ?? {}) as { content?: Record<string, unknown> };
  const call: Call = {
    method,
    path,
    parameters: operation.parameters ?? [],
    body: bodyOf(content),
    form: formName === undefined ? undefined : (components.schemas[formName] as Form),
    isDownload: !('application/json' in (success.content ?? {})),
  };
  const samples = [
    ['sh', curlOf(call, service)],
    ['ts', fileCalls[operation.operationId] ?? clientCallOf(call)],
  ];
  return {
    ...operation,
    description: [
      operation.description,
      ...samples.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``),
    ].join('\n\n'),
    parameters: call.parameters.map((each) =>
      each.name === 'tenant' ? { ...each, example: service.tenant } : filledIn(each),
    ),
  };
}

/** Swagger UI fills in all examples, but all filters together find nothing, and a key belongs to one request. */
function filledIn({ example, ...parameter }: Parameter): Parameter {
  return parameter.required
    ? { ...parameter, example }
    : { ...parameter, description: `${parameter.description} For example \`${example}\`.` };
}

function bodyOf(content: Record<string, Content>): object | undefined {
  const { example, examples } = content['application/json'] ?? {};
  return example ?? Object.values(examples ?? {})[0]?.value;
}

function curlOf(
  { method, path, parameters, body, form, isDownload }: Call,
  { url, tenant }: { url: string; tenant: string },
): string {
  const values = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'tenant' ? tenant : encodeURIComponent(values.get(name) ?? name),
  );
  const query = new URLSearchParams();
  for (const { name, example } of needed(parameters, 'query')) query.set(name, String(example));
  const address = `${url}${filled}${query.size > 0 ? `?${query}` : ''}`;
  return [
    `curl ${isDownload ? '-OJ ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    '-H "Authorization: Bearer $PARLEY_TOKEN"',
    ...(form ? fieldsOf(form) : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

function fieldsOf({ required, properties }: Form): string[] {
  return required.map((name) => {
    const { format, examples = [] } = properties[name]!;
    return `-F ${quoted(`${name}=${format === 'binary' ? '@invoice.pdf' : examples[0]}`)}`;
  });
}

function clientCallOf({ method, path, parameters, body }: Call): string {
  const ofPath = needed(parameters, 'path').filter(({ name }) => name !== 'tenant');
  const params = [
    ['path', ofPath],
    ['query', needed(parameters, 'query')],
  ] as const;
  const given = params.filter(([, list]) => list.length > 0);
  const options = {
    ...(given.length > 0 && {
      params: Object.fromEntries(
        given.map(([where, list]) => [
          where,
          Object.fromEntries(list.map(({ name, example }) => [name, example])),
        ]),
      ),
    }),
    ...(body && { body }),
  };
  const last = Object.keys(options).length > 0 ? `, ${literalOf(options)}` : '';
  return `const { data, error } = await parley.${method}('${path.slice(ofTenant.length)}'${last});`;
}

function needed(parameters: Parameter[], where: string): Parameter[] {
  return parameters.filter((each) => each.in === where && each.required);
}

/** Writes a value as TypeScript: names without quotes, strings in single ones. */
function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value, "\\'");
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(
    ([name, each]) => `${inner}${isList ? '' : `${name}: `}${literalOf(each, inner)},\n`,
  );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join('')}${indent}${close}`;
}

/** @param quote a single quote within, as the shell writes it by default */
function quoted(text: string, quote = "'\\''"): string {
  return `'${text.replaceAll("'", quote)}'`;
}
