import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { buildOpenApiDocument } from '#kit/server/openapi.ts'
import { apiRoutes, pageRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
/** These endpoints are not public: only server-rendered pages call them. */
const ofPages = pageRoutes({} as Deps).map(({ endpoint }) => endpoint)
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

describe('API routes', () => {
  test('every declared endpoint has exactly one route, and only two routes are reserved for server-rendered pages', async () => {
    const features = join(import.meta.dirname, '../features')
    const contracts = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.contract.ts'),
    )
    const modules = await Promise.all(contracts.map((path) => import(join(features, path)) as Promise<object>))
    const declared = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
    expect(declared.length).toBeGreaterThan(10)
    expect([...endpoints, ...ofPages].map(nameOf).sort()).toEqual(declared.map(nameOf).sort())
    expect(ofPages.map(nameOf)).toEqual(['GET /pages/kept-use/', 'GET /pages/finished-activation/'])
  })

  test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s declares its path parameters and ends in a slash',
    (_name, { path, params, summary }) => {
      expect(path).toMatch(/^\/api\/(?:[\w:-]+\/)+$/)
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(Object.keys(params && 'entries' in params ? (params.entries as object) : {})).toEqual(named)
      expect(summary).not.toBe('')
    },
  )
})

test('the OpenAPI document is valid JSON and describes every endpoint', () => {
  const document = JSON.parse(JSON.stringify(buildOpenApiDocument('Fantail Mobile portal', endpoints)))
  const described = Object.entries(document.paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(described.sort()).toEqual(endpoints.map(nameOf).sort())
  const { post } = document.paths['/api/activate/sim/']
  expect(Object.keys(post.requestBody.content['application/json'].schema.properties)).toEqual([
    'msisdn',
    'sim_serial',
    'setup_porting',
  ])
  expect(document.paths['/api/activate/pay/'].post.responses).toHaveProperty('202')
  expect(document.paths['/api/vouchers/{code}/'].get.responses).toHaveProperty('412')
})

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'output' in value
