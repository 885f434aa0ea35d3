import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../contract/endpoint.ts'
import { requiredText } from '../contract/schema.ts'
import type { Db } from './db.ts'
import { collectErrors, forbidden, badRequest, HttpError } from './http-error.ts'
import { type RawRequest, route } from './route.ts'

const layEgg = endpoint({
  method: 'POST',
  path: '/api/nests/:nestId/',
  summary: 'Lays an egg',
  params: v.object({ nestId: v.string() }),
  body: v.object({
    colour: requiredText('Which colour?'),
    size: v.optional(v.number()),
    note: v.optional(v.string(), ''),
  }),
  output: v.object({}),
})
const lookUp = endpoint({
  method: 'GET',
  path: '/api/birds/',
  summary: 'Looks a bird up',
  query: v.object({ by: v.optional(v.picklist(['name'], 'Birds are looked up by name.'), 'name') }),
  output: v.object({}),
  statuses: { 400: v.object({ code: v.string() }) },
})

const visit = { user: null, session: {}, clientIp: '192.0.2.1', inProcess: false } as unknown as RawRequest['visit']
const call = (parts: Partial<RawRequest>): RawRequest => ({
  visit,
  params: { nestId: 'kowhai' },
  query: {},
  body: {},
  idempotencyKey: null,
  requestId: null,
  ...parts,
})

async function answerOf(served: ReturnType<typeof route>, parts: Partial<RawRequest>) {
  try {
    return await served.answer({} as Db, call(parts))
  } catch (failure) {
    if (!(failure instanceof HttpError)) throw failure
    return { status: failure.status, body: failure.body }
  }
}

describe("a route's 400 responses", () => {
  const told: unknown[] = []
  const served = route(
    layEgg,
    {
      access: 'anyone',
      find: async () => ({ tree: 'rata' }),
      alsoWrong: async ({ params, found, body }) => {
        told.push({ params, found, body })
        return { ...(body.colour === 'pink' && { colour: ['No bird does.'] }), note: ['Never here.'] }
      },
    },
    async () => ({}),
  )

  test("a 400 response lists the schema's errors and, for the other fields, the errors from the server's own checks", async () => {
    const { status, body } = await answerOf(served, { body: { colour: 'pink', size: 'XL', note: 7 } })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        colour: ['No bird does.'],
        size: ['Please check this and try again.'],
        note: ['Please check this and try again.'],
      },
    })
    expect(told).toEqual([{ params: { nestId: 'kowhai' }, found: { tree: 'rata' }, body: { colour: 'pink' } }])
  })

  test("leaves the server's own checks to the handler if the schema finds no errors", async () => {
    told.length = 0
    expect(await answerOf(served, { body: { colour: 'pink' } })).toEqual({ status: 200, body: {} })
    expect(told).toEqual([])
  })

  test('reports fields with unreadable characters together with fields of the wrong type', async () => {
    expect((await answerOf(served, { body: { colour: 'a\0b', size: 'XL' } })).body).toMatchObject({
      colour: ['Please remove the characters that can’t be read.'],
      size: ['Please check this and try again.'],
    })
  })

  test.each([['text'], [7], [true], [['a']], [null]])(
    'answers 400 to the body %j, which is not a form',
    async (body) => {
      const { status } = await answerOf(served, { body })
      expect(status).toBe(400)
    },
  )

  test('a 400 response has a single message instead of errors by field if the endpoint declares its own 400 response', async () => {
    const found = route(lookUp, { access: 'anyone' }, async () => ({}))
    const code = 'Birds are looked up by name.'
    expect(await answerOf(found, { query: { by: 'song' } })).toEqual({ status: 400, body: { code } })
    expect(await answerOf(found, { query: { by: ['name', 'name'] } })).toEqual({ status: 400, body: { code } })
    expect(await answerOf(found, { params: { any: '4111 1111 1111 1111' } })).toEqual({
      status: 400,
      body: { code: 'Please don’t enter a card number here.' },
    })
    expect(await answerOf(found, { query: { by: 'x'.repeat(501) } })).toMatchObject({
      status: 400,
      body: { code: expect.any(String) },
    })
    expect(await answerOf(found, {})).toEqual({ status: 200, body: {} })
  })
})

describe('collectErrors: errors from several checks', () => {
  const refusal = (field: string, sentence: string) => () => {
    throw badRequest({ [field]: [sentence] })
  }

  test('collectErrors returns the errors from several checks in one map', async () => {
    const last = async () => refusal('colour', 'Nor this.')()
    expect(await collectErrors(refusal('colour', 'Not this.'), () => null, refusal('size', 'Too big.'), last)).toEqual({
      colour: ['Not this.', 'Nor this.'],
      size: ['Too big.'],
    })
  })

  test('collectErrors collects only errors with status 400 and throws any other error', async () => {
    const failure = new Error('the nest is gone')
    for (const thrown of [forbidden('No.'), failure])
      await expect(
        collectErrors(refusal('colour', 'Not this.'), () => {
          throw thrown
        }),
      ).rejects.toBe(thrown)
  })
})

describe('customer data that a route reads in advance', () => {
  const ofCaller = 'read for the caller'
  const data = { of: async () => ofCaller, withVisitor: async () => undefined }
  const values = () => ({})
  const served = route(lookUp, { access: 'verified', read: () => data, values }, async (parts) => ({
    data: parts.data,
  }))
  const user = { id: 'ana', emailVerified: true, passwordEpoch: 0 }
  const bodyFor = async (read?: RawRequest['read']) =>
    (await answerOf(served, { visit: { ...visit, user } as RawRequest['visit'], read })).body

  const foundFor = (id: string, found: string) => ({ session: { user: { id } }, data: found }) as RawRequest['read']

  test("a route uses customer data that was read together with the visitor's session", async () =>
    expect(await bodyFor(foundFor('ana', 'read with the visitor'))).toEqual({ data: 'read with the visitor' }))

  test("a route reads customer data itself if the data was not read together with the visitor's session", async () =>
    expect(await bodyFor()).toEqual({ data: ofCaller }))

  test('a route never uses data that was read for a different customer', async () =>
    expect(await bodyFor(foundFor('ben', 'of another customer'))).toEqual({ data: ofCaller }))

  test('a route that has rate limits or changes anything must not read customer data in advance', () => {
    const limits = () => [{ key: 'birds', times: 1, seconds: 60 }]
    for (const of of [
      () => route(lookUp, { access: 'verified', read: () => data, values, limits }, async () => ({})),
      () => route(layEgg, { access: 'verified', read: () => data, values }, async () => ({})),
    ])
      expect(of).toThrow('does more than read')
  })

  test('a route does not read customer data in advance for a malformed request', () => {
    expect(served.readerOf?.({ params: {}, query: {} })).toEqual(expect.any(Function))
    for (const by of ['song', 'x'.repeat(501), ['name', 'name']])
      expect(served.readerOf?.({ params: {}, query: { by } })).toBeNull()
  })
})
