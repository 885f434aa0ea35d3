import { ApiError } from '../contract/errors.ts'
import type { Api, RequestInput, Endpoint, EndpointOutput } from '../contract/endpoint.ts'
import type { Db } from './db.ts'
import { HttpError } from './http-error.ts'
import type { Route } from './route.ts'
import type { RequestContext } from './request-context.ts'

export type PageVisitor = {
  visit: Promise<RequestContext>
  tokenHash?: string | null
}

/**
 * Creates the API for a page that is being rendered on the server: the same routes, without HTTP. As over HTTP, a route that reads customer
 * data looks up the session in the same statement, so it does not wait for `visit` first.
 */
export function createInProcessApi(
  db: Db,
  routes: Route[],
  { visit: pendingContext, tokenHash = null }: PageVisitor,
): Api {
  return {
    async call<E extends Endpoint>(endpoint: E, input: RequestInput) {
      // The bundle that renders pages on the server has its own copies of the contracts, so endpoints are matched by method and path.
      const route = routes.find(
        ({ endpoint: { method, path } }) => method === endpoint.method && path === endpoint.path,
      )
      if (!route) throw new Error(`${endpoint.path} has no route`)
      const { params, query, body } = input
      try {
        const [visit, read] = await Promise.all([
          pendingContext,
          tokenHash === null ? undefined : route.readerOf?.({ params, query })?.(db, tokenHash),
        ])
        const response = await route.answer(db, {
          visit: { ...visit, inProcess: true },
          params,
          query,
          body,
          read,
          idempotencyKey: null,
          requestId: null,
        })
        const data: EndpointOutput<E> = JSON.parse(JSON.stringify(response.body))
        return { status: response.status, data }
      } catch (error) {
        if (error instanceof HttpError) throw new ApiError(error.status, error.body)
        throw error
      }
    },
  }
}
