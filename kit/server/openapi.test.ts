import { expect, test } from 'vitest'
import * as v from 'valibot'
import { endpoint } from '../contract/endpoint.ts'
import { buildOpenApiDocument } from './openapi.ts'

const perch = endpoint({
  method: 'POST',
  path: '/api/birds/:birdId/perch/',
  summary: 'Lets a bird sit down',
  params: v.object({ birdId: v.string() }),
  query: v.object({ branch: v.optional(v.picklist(['low', 'high']), 'low'), tree: v.string() }),
  body: v.object({ minutes: v.pipe(v.number(), v.minValue(1)), name: v.optional(v.string()) }),
  output: v.object({ sits: v.boolean() }),
  statuses: { 202: v.object({ retry: v.literal(true) }) },
})
const listBirds = endpoint({ method: 'GET', path: '/api/birds/', summary: 'All birds', output: v.array(v.string()) })
const addBird = endpoint({
  method: 'POST',
  path: '/api/birds/',
  summary: 'One more',
  body: v.object({}),
  output: v.string(),
})

const document = JSON.parse(JSON.stringify(buildOpenApiDocument('Birds', [perch, listBirds, addBird])))

test('describes an endpoint using the schemas that validate its requests', () => {
  const { summary, parameters, requestBody, responses } = document.paths['/api/birds/{birdId}/perch/'].post
  expect(summary).toBe('Lets a bird sit down')
  expect(parameters).toMatchObject([
    { name: 'birdId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'branch', in: 'query', required: false, schema: { enum: ['low', 'high'] } },
    { name: 'tree', in: 'query', required: true },
  ])
  expect(requestBody.content['application/json'].schema).toMatchObject({
    required: ['minutes'],
    properties: { minutes: { type: 'number', minimum: 1 } },
  })
  expect(responses['200'].content['application/json'].schema.properties).toEqual({ sits: { type: 'boolean' } })
  expect(Object.keys(responses)).toEqual(['200', '202', '400'])
})

test('lists two endpoints with the same path under that path', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Birds' } })
  expect(Object.keys(document.paths['/api/birds/'])).toEqual(['get', 'post'])
  expect(document.paths['/api/birds/'].get.requestBody).toBeUndefined()
})
