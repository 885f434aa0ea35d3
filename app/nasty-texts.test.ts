import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { Db } from '#kit/server/db.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { type RawRequest, route } from '#kit/server/route.ts'
import { hostileTexts } from '#quality/support/hostile-texts.ts'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
const noDb = {} as Db

async function look(
  endpoint: Endpoint,
  parts: Partial<Pick<RawRequest, 'params' | 'query' | 'body' | 'idempotencyKey'>>,
): Promise<number> {
  const { answer } = route(endpoint, { access: 'anyone' }, async () => ({}))
  const raw = {
    visit: { inProcess: false },
    params: undefined,
    query: undefined,
    body: undefined,
    idempotencyKey: null,
    requestId: null,
    ...parts,
  } as unknown as RawRequest
  return answer(noDb, raw).then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof HttpError) return error.status
      throw error
    },
  )
}

const fieldsOf = (schema: Endpoint['body']): string[] =>
  schema && 'entries' in schema ? Object.keys(schema.entries as object) : []
const filled = (schema: Endpoint['body'], text: string): object =>
  Object.fromEntries(fieldsOf(schema).map((field) => [field, text]))

const callsWith = (endpoint: Endpoint, text: string) => [
  { params: filled(endpoint.params, text) },
  { params: filled(endpoint.params, 'a'), query: { ...filled(endpoint.query, text), unknown: text } },
  { params: filled(endpoint.params, 'a'), body: filled(endpoint.body, text) },
  { params: filled(endpoint.params, 'a'), body: { unknown: text, [text]: [text], list: [[text]] } },
  { params: filled(endpoint.params, 'a'), body: text },
]

describe.each([500, 8_000, 64 * 1024])('hostile texts of %i characters', (length) => {
  const texts = Object.entries(hostileTexts).map(([kind, text]) => [kind, text(length)] as const)

  test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s checks hostile texts in any field within 30 ms of processor time',
    async (_name, endpoint) => {
      const slow: string[] = []
      for (const [kind, text] of texts) {
        const calls = callsWith(endpoint, text)
        const time = await measureCpuMs(async () => {
          for (const call of calls) expect(await look(endpoint, call)).toBeLessThan(500)
        })
        if (time > 30) slow.push(`${kind}: ${time} ms`)
      }
      expect(slow).toEqual([])
    },
  )
})

test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s rejects texts that are longer than the limit of their field',
  async (_name, endpoint) => {
    const [short, long] = ['a', 'a'.repeat(8_001)]
    for (const field of fieldsOf(endpoint.params))
      expect(await look(endpoint, { params: { ...filled(endpoint.params, short), [field]: long } })).toBe(404)
    for (const field of [...fieldsOf(endpoint.query), 'unknown'])
      expect(await look(endpoint, { params: filled(endpoint.params, short), query: { [field]: long } })).toBe(400)
    for (const field of [...fieldsOf(endpoint.body), 'unknown'])
      expect(await look(endpoint, { params: filled(endpoint.params, short), body: { [field]: long } })).toBe(400)
  },
)
