import { type Endpoint, buildPath } from '#kit/contract/endpoint.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import type { ValidRequest } from './example.ts'
import { headersOf, type Request } from './send.ts'

export function buildRequest(
  endpoint: Endpoint,
  right: ValidRequest,
  {
    visitor = right.visitor,
    headers = {},
    token = true,
    ...other
  }: Partial<Omit<ValidRequest, 'body'>> & { body?: unknown; headers?: Record<string, string>; token?: boolean } = {},
): Request {
  const query = new URLSearchParams(other.query ?? right.query).toString()
  const body = 'body' in other ? other.body : right.body
  return {
    method: endpoint.method,
    path: buildPath(endpoint, { ...right.params, ...other.params }) + (query && `?${query}`),
    headers: {
      ...headersOf(visitor, { token }),
      ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(endpoint.method !== 'GET' &&
      body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

export const buildVisitorRequest = (endpoint: Endpoint, right: ValidRequest, visitor: Visitor): Request =>
  buildRequest(endpoint, right, { visitor })
