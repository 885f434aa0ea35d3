/* @module-tag slow */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as v from 'valibot'
import { useRouteServer } from '#quality/support/route-server.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { endpoint } from '../contract/endpoint.ts'
import { withResponseTimeout, getRequestArrivalTime } from './response-timeout.ts'
import { HttpError } from './http-error.ts'
import { route } from './route.ts'

const output = v.object({ waited: v.number() })
const wait = endpoint({
  method: 'GET',
  path: '/api/wait/:what/',
  params: v.object({ what: v.string() }),
  summary: '',
  output,
})

let ended: string[] = []
const rig = useRouteServer(
  () => [
    route(wait, { access: 'anyone' }, async ({ params: { what } }) => {
      await pause(what === 'soon' ? 5 : 1_500)
      ended.push(what)
      if (what === 'fails') throw new Error('nobody hears this')
      return { waited: Math.round(performance.now() - getRequestArrivalTime()) }
    }),
  ],
  { answerMs: 1_000 },
)

test('sends a response that is ready in time, and lets the handler read when its request arrived', async () => {
  const { status, body } = await rig().visitor().get('/api/wait/soon/')
  expect(status).toBe(200)
  expect(body.waited).toBeGreaterThanOrEqual(4)
})

test.each(['long', 'fails'])(
  'answers 503 with Retry-After to a request that takes too long, while its work runs to completion: %s',
  async (what) => {
    ended = []
    const { status, body, headers } = await rig().visitor().get(`/api/wait/${what}/`)
    expect({ status, body }).toEqual({
      status: 503,
      body: { code: 'Something went wrong. Please try refreshing the page.' },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(ended).toEqual([])
    await pollUntil(async () => ended.includes(what))
    expect((await rig().visitor().get('/api/wait/soon/')).status).toBe(200)
  },
)

test('rethrows an error that occurs within the time limit, and only reports an error that occurs after the 503', async () => {
  const failures: unknown[] = []
  const failed = (error: unknown): void => void failures.push(error)
  const no = new HttpError(404, {})
  await expect(withResponseTimeout(() => Promise.reject(no), { failed })).rejects.toBe(no)
  const late = async () => {
    await pause(200)
    throw no
  }
  await expect(withResponseTimeout(late, { longestMs: 20, failed })).rejects.toMatchObject({ status: 503 })
  await pollUntil(async () => failures.length > 0)
  expect(failures).toEqual([no])
})

test('callArrivedAt returns the current time if no request is being handled', () => {
  expect(performance.now() - getRequestArrivalTime()).toBeLessThan(1_000)
})
