import { ApiError } from '../contract/errors.ts'
import type { Api, Endpoint } from '../contract/endpoint.ts'
import type { Db } from './db.ts'
import { readBack } from './json-text.ts'
import { Refusal } from './refusal.ts'
import type { RawCall, Route } from './route.ts'
import type { Visit } from './visit.ts'

/** The API for a page that is being rendered: the same routes, no HTTP in between. */
export function inProcessApi(db: Db, routes: Route[], visit: Visit): Api {
  const byName = namedRoutes(routes)
  return {
    async call(endpoint, input) {
      const target = byName.get(nameOf(endpoint))
      if (!target) throw new Error(`${endpoint.path} has no route`)
      try {
        const { status, body } = await target.answer(db, {
          visit: { ...visit, inProcess: true },
          params: undefined,
          query: undefined,
          body: undefined,
          idempotencyKey: null,
          requestId: null,
          ...input,
        } as RawCall)
        return { status, data: readBack(body) as never }
      } catch (error) {
        if (error instanceof Refusal) throw new ApiError(error.status, error.body)
        throw error
      }
    },
  }
}

/** By name: the rendered portal is a bundle with copies of the contracts. The table is the same for every page. */
function namedRoutes(routes: Route[]): Map<string, Route> {
  const known = tables.get(routes) ?? new Map(routes.map((route) => [nameOf(route.endpoint), route]))
  tables.set(routes, known)
  return known
}
const tables = new WeakMap<Route[], Map<string, Route>>()

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
