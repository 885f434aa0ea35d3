import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { toJsonSchema } from '@valibot/to-json-schema'
import Fastify, { type FastifyInstance } from 'fastify'
import type { GenericSchema } from 'valibot'
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { serveAssets } from '#app/render/assets.ts'
import { brandAssets } from '#app/render/brand.ts'
import { offlineAssets } from '#app/render/offline.ts'
import { serveHealth } from '#app/health.ts'
import { createOperatorServer } from '#app/operator/routes.ts'
import { invitationRoutes } from '#app/operator/staff.routes.ts'
import { tokenRoutes } from '#app/operator/tokens.routes.ts'
import { pages } from '#app/pages.ts'
import { serve, type ServedPortal } from '#app/serve.ts'
import { type DeskDeps, deskRoutes } from '#desk/app/desk-routes.ts'
import { pages as deskPages } from '#desk/app/pages.ts'
import { demoRoutes } from '#demo/demo.routes.ts'
import { guideRoutes } from '#demo/guide.routes.ts'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { fantailProvider } from '#quality/support/provider.ts'

const deps = {} as Deps
const http = {} as HttpOptions
const listPortalEndpoints = () => apiRoutes(deps).map(({ endpoint }) => endpoint)
const listDeskEndpoints = () => deskRoutes({ isDemo: true } as DeskDeps).map(({ endpoint }) => endpoint)

export async function findRoutes(): Promise<string[]> {
  const portal = await collectRoutes(async () => {
    const app = Fastify()
    serveHealth(app, {} as Parameters<typeof serveHealth>[1])
    const provider = { ...fantailProvider, securityContact: 'mailto:security@fantail.example' }
    const options = { config: {}, provider, pages: 'none', extend: addDemoRoutes } as unknown as ServedPortal
    await serve(app, http, deps, options)
    const { assets } = brandAssets(fantailProvider.brand, fantailProvider.look)
    serveAssets(app, new Map([...assets, ...offlineAssets(fantailProvider.brand, '')]))
  })
  const operator = await collectRoutes(() => {
    const app = createOperatorServer(deps)
    tokenRoutes(app, deps)
    invitationRoutes(app, deps)
  })
  const desk = listDeskEndpoints().map(({ method, path }) => `${method} ${path}`)
  const lines = (server: string, routes: string[]) => routes.map((route) => `${server} ${route}`)
  return [...lines('portal', portal), ...lines('operator', operator), ...lines('desk', desk)]
}

function addDemoRoutes(app: FastifyInstance): void {
  demoRoutes(app, {} as Parameters<typeof demoRoutes>[1])
  guideRoutes(app, { code: 'NZ', deskUrl: null, brand: fantailProvider.brand, colours: fantailProvider.look.colours })
}

async function collectRoutes(make: () => void | Promise<void>): Promise<string[]> {
  const found: string[] = []
  const recordRoutes = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD') found.push(`${each} ${url}`)
    })
  }
  subscribe('fastify.initialization', recordRoutes)
  try {
    await make()
  } finally {
    unsubscribe('fastify.initialization', recordRoutes)
  }
  return found
}

export const findPages = (): string[] => [
  ...pages.map(({ path }) => `portal ${formatPath(path)}`),
  ...deskPages.map(({ path }) => `desk ${formatPath(path)}`),
]

const formatPath = (path: string | RegExp): string => String(path).replaceAll(/\(\?<\w+>/g, '(')

export const findFields = (): string[] => [
  ...listPortalEndpoints().flatMap((endpoint) => listFields('portal', endpoint)),
  ...listDeskEndpoints().flatMap((endpoint) => listFields('desk', endpoint)),
]

function listFields(server: string, endpoint: Endpoint): string[] {
  const { method, path, params, query, body, output, statuses = {} } = endpoint
  const of = (part: string, schema: GenericSchema | undefined, typeMode: 'input' | 'output'): string[] =>
    schema ? describeField(part, toJsonSchema(schema, { errorMode: 'ignore', typeMode }) as Shape, true) : []
  const lines = [
    ...of('params', params, 'input'),
    ...of('query', query, 'input'),
    ...of('body', body, 'input'),
    ...of('200', output, 'output'),
    ...Object.entries(statuses).flatMap(([status, schema]) => of(status, schema, 'output')),
  ]
  return lines.map((line) => `${server} ${method} ${path} ${line}`)
}

type Shape = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  items?: Shape
  prefixItems?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: Shape | boolean
}

function describeField(name: string, shape: Shape, isRequired: boolean): string[] {
  const alternatives = listAlternatives(shape)
  const types = new Set(alternatives.flatMap(listTypes))
  const fieldType = [...types].sort().join(' | ')
  const lines = alternatives.flatMap(({ properties = {}, required = [], items, prefixItems = [], ...rest }) => [
    ...Object.entries(properties).flatMap(([key, each]) =>
      describeField(`${name}.${key}`, each, required.includes(key)),
    ),
    ...[items ?? [], prefixItems].flat().flatMap((each) => describeField(`${name}[]`, each, true)),
    ...(typeof rest.additionalProperties === 'object'
      ? describeField(`${name}.*`, rest.additionalProperties, true)
      : []),
  ])
  return [`${name}${isRequired ? '' : '?'} ${fieldType}`, ...lines]
}

const listAlternatives = (shape: Shape): Shape[] => {
  const inner = [shape.anyOf, shape.oneOf, shape.allOf].flatMap((each) => each ?? [])
  return inner.length > 0 ? inner.flatMap(listAlternatives) : [shape]
}

const listTypes = ({ type = 'any', ...shape }: Shape): string[] => {
  if ('const' in shape) return [JSON.stringify(shape.const)]
  return shape.enum ? shape.enum.map((value) => JSON.stringify(value)) : [type]
}
