import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { type ErrorEntry, getErrorEntryMessage } from '#kit/contract/errors.ts'
import type { Db } from '#kit/server/db.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { type RawRequest, route } from '#kit/server/route.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
const fieldsOf = (part: Endpoint['body']): string[] =>
  part && 'entries' in part ? Object.keys(part.entries as object) : []

const ofAnyKind: unknown[] = [null, 7, -1, 1e308, true, false, '', 'word', [], ['word'], [[7]], {}, { a: { b: 'c' } }]

async function sentencesFor(endpoint: Endpoint, parts: Partial<RawRequest>): Promise<string[]> {
  const visit = { user: null, session: {}, clientIp: '192.0.2.1', inProcess: true } as unknown as RawRequest['visit']
  const params = Object.fromEntries(fieldsOf(endpoint.params).map((name) => [name, 'FT0000000000']))
  const call = { visit, params, query: {}, body: {}, idempotencyKey: null, requestId: null, ...parts }
  try {
    await route(endpoint, { access: 'anyone' }, async () => ({}) as never).answer({} as Db, call)
    return []
  } catch (failure) {
    if (!(failure instanceof HttpError)) throw failure
    const entries = Object.values(failure.body as Record<string, ErrorEntry | ErrorEntry[]>).flat()
    if (failure.status !== 400 || entries.length === 0)
      throw new Error(`refused with ${failure.status}, and no word`, { cause: failure })
    return entries.map(getErrorEntryMessage)
  }
}

const asked = endpoints.filter(({ query, body }) => query || body)
describe.each(asked.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_name, endpoint) => {
  test('an invalid field value is rejected with our own message rather than the validation library’s', async () => {
    for (const part of ['query', 'body'] as const)
      for (const field of fieldsOf(endpoint[part]))
        for (const value of ofAnyKind)
          for (const sentence of await sentencesFor(endpoint, { [part]: { [field]: value } })) {
            expect(sentence).toMatch(/^[A-Z].*[.?!]$|^Please check your payment details and try again$/)
            expect(sentence).not.toMatch(/\b(?:Invalid (?!Phone Number)|Expected|received|type|key|object)\b/)
          }
  })

  test('a request body that is not an object is rejected with our own message', async () => {
    for (const body of ['word', 7, true, [], ['word']])
      for (const sentence of await sentencesFor(endpoint, { body }))
        expect(sentence).not.toMatch(/\b(?:Invalid (?!Phone Number)|Expected|received)\b/)
  })
})
