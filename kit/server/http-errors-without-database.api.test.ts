/* @module-tag slow */
import type { KyselyPlugin } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { useRouteServer } from '#quality/support/route-server.ts'
import { endpoint } from '../contract/endpoint.ts'
import { formMessages } from '../contract/errors.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { tooManyRequests } from './http-error.ts'
import { route } from './route.ts'

const look = endpoint({ method: 'GET', path: '/api/look/', summary: 'Gives the cookies', output: v.object({}) })
const ring = endpoint({ method: 'POST', path: '/api/bell/', summary: 'Rings', output: v.object({}) })

type Trouble = 'away' | 'defect' | 'silent'
let trouble: Trouble | null = null

/**
 * This query plugin makes every write fail or hang, depending on `trouble`. Reads succeed, so that a request gets as far as the check that
 * rejects it.
 */
const writes = new WeakSet<object>()
const troubles: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    if (node.kind === 'SelectQueryNode') return node
    writes.add(queryId)
    if (trouble === 'away')
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })
    if (trouble === 'defect') throw new Error('no such column: secret=42')
    return node
  },
  transformResult: async ({ result, queryId }) =>
    trouble === 'silent' && writes.has(queryId) ? new Promise(() => {}) : result,
}

const rig = useRouteServer(
  () => [
    route(look, { access: 'anyone' }, async () => ({})),
    route(ring, { access: 'anyone' }, async () => {
      throw tooManyRequests(60)
    }),
  ],
  { noteOutage: isDatabaseUnavailable, answerMs: 1_000, seenBy: (db) => db.withPlugin(troubles) },
)
beforeEach(() => {
  trouble = null
})

const later = { status: 503, body: { code: formMessages.server } }

describe.each([
  ['without the session’s token', { 'x-csrftoken': '' }, 403],
  ['above a limit', {}, 429],
])('a POST request that is rejected %s', (_why, headers, usual) => {
  const post = () => rig().visitor().post('/api/bell/', {}, headers)
  async function postIn(kind: Trouble) {
    const visitor = rig().visitor()
    await visitor.get('/api/look/')
    trouble = kind
    return visitor.post('/api/bell/', {}, headers)
  }

  test('answers a rejected POST with its usual status while the database is available', async () => {
    expect((await post()).status).toBe(usual)
  })

  test.each(['away', 'silent'] as const)(
    'answers 503 with Retry-After to a rejected POST while the database is %s',
    async (kind) => {
      const answer = await postIn(kind)
      expect(answer).toMatchObject(later)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(JSON.stringify(answer.body)).not.toContain('10.0.0.7')
    },
  )

  test('answers a rejected POST with its usual status when writing to the audit trail fails', async () => {
    const answer = await postIn('defect')
    expect(answer.status).toBe(usual)
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  })
})
