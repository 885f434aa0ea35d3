import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { Endpoint } from '../contract/endpoint.ts'

export function buildOpenApiDocument(title: string, endpoints: Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = {
      summary: endpoint.summary,
      parameters: [
        ...buildParameters(endpoint, 'path', endpoint.params),
        ...buildParameters(endpoint, 'query', endpoint.query),
      ],
      ...(endpoint.body && {
        requestBody: { required: true, content: createJsonContent(toDocumentedSchema(endpoint.body, 'input')) },
      }),
      responses: {
        200: { description: 'Success', content: createJsonContent(toDocumentedSchema(endpoint.output, 'output')) },
        ...(endpoint.body && {
          400: { description: 'Errors by field', content: createJsonContent(fieldErrorsSchema) },
        }),
        ...Object.fromEntries(
          Object.entries(endpoint.statuses ?? {}).map(([status, schema]) => [
            status,
            { description: `Status ${status}`, content: createJsonContent(toDocumentedSchema(schema, 'output')) },
          ]),
        ),
      },
    }
  }
  return { openapi: '3.1.0', info: { title, version: '1' }, paths }
}

const errorEntrySchema = {
  oneOf: [
    { type: 'string' },
    {
      type: 'object',
      required: ['message', 'actions'],
      properties: {
        message: { type: 'string' },
        actions: {
          type: 'array',
          items: { type: 'object', properties: { url: { type: 'string' }, text: { type: 'string' } } },
        },
      },
    },
  ],
}
const fieldErrorsSchema = { type: 'object', additionalProperties: { type: 'array', items: errorEntrySchema } }

const createJsonContent = (schema: object) => ({ 'application/json': { schema } })

// The documented schema leaves out rules that JSON Schema cannot express, such as checksums or lookups.
const toDocumentedSchema = (schema: GenericSchema, typeMode: 'input' | 'output') =>
  toJsonSchema(schema, { errorMode: 'ignore', typeMode })

function buildParameters(endpoint: Endpoint, where: 'path' | 'query', schema: GenericSchema | undefined): object[] {
  if (!schema) return []
  const documentedSchema = toDocumentedSchema(schema, 'input')
  const requiredFields = new Set(documentedSchema.required)
  return Object.entries(documentedSchema.properties ?? {}).map(([name, shape]) => ({
    name,
    in: where,
    required: where === 'path' || requiredFields.has(name),
    schema: shape,
    description: endpoint.summary,
  }))
}
