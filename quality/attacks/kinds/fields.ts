import { type Endpoint, pathOf } from '#kit/contract/endpoint.ts'
import { boundsOf } from '#kit/server/bounds.ts'
import type { Attempt, Group } from '../attempt.ts'
import { requestTo } from '../call.ts'
import type { Right } from '../example.ts'
import { isFine } from '../examples.ts'
import { anything, refused, refusedWith } from '../judge.ts'
import { fieldsOf, nameOf, paramsOf, type Scene } from '../scene.ts'
import { cardNumber, longTexts, mark, markup, shortTexts, turnOf, typedPassword, wrongTypes } from '../texts.ts'

/** The product may accept what the contract allows. Everything else must be rejected and change nothing. */
function sorted(endpoint: Endpoint, kind: string, tries: (Attempt & { body: unknown })[]): Group[] {
  const excessOf = boundsOf(endpoint)
  // A body above its bound is not parsed, and so not here either.
  const isTakable = ({ body }: { body: unknown }) =>
    !excessOf({ params: undefined, query: undefined, body }).body &&
    isFine(endpoint, body) &&
    !JSON.stringify(body).includes(cardNumber)
  const [takable, not] = [tries.filter(isTakable), tries.filter((one) => !isTakable(one))]
  const call = nameOf(endpoint)
  return [
    { kind, call, attempts: not },
    { kind, call, attempts: takable.map((attempt) => ({ ...attempt, expected: anything })), mayChange: true },
  ]
}

export async function inFields(
  { cast, long }: Scene,
  endpoint: Endpoint,
  right: Right,
  turn: number,
): Promise<Group[]> {
  const fields = fieldsOf(endpoint.body)
  const with_ = (field: string, value: unknown) => ({ ...right.body, [field]: value })
  const one = (kind: string, field: string, value: unknown) => ({
    what: `${kind} in ${field}`,
    body: with_(field, value),
    request: requestTo(endpoint, right, { body: with_(field, value) }),
    expected: refused,
  })
  const texts = (list: typeof shortTexts, at: number, count: number) => (long ? list : turnOf(list, at, count))
  const wrong = fields.flatMap((field, at) =>
    (long ? wrongTypes : turnOf(wrongTypes, turn + at, 6)).map(([kind, value]) => one(kind, field, value)),
  )
  const short = fields.flatMap((field, at) =>
    texts(shortTexts, turn + at, 6).map(([kind, text]) => one(kind, field, text)),
  )
  // As much as the body may have, ten thousand characters, and more than the server accepts.
  const big = [10_000, 15_500, 60_000].flatMap((bytes, at) =>
    texts(longTexts(bytes), turn + at, at === 2 ? 1 : 3).map(([kind, text], place) =>
      one(`${bytes} bytes of ${kind}`, fields[(turn + place) % fields.length] ?? mark, text),
    ),
  )
  const long_ = { kind: 'field: long text', call: nameOf(endpoint) }
  if (endpoint.method === 'GET') return []
  if (fields.length > 0)
    return [
      ...sorted(endpoint, 'field: wrong type', wrong),
      ...sorted(endpoint, 'field: nasty text', short),
      ...sorted(endpoint, 'field: long text', big),
    ]
  // The call reads no fields. It is made as a stranger, for whom it does nothing.
  const stranger = await cast.stranger()
  return [
    {
      ...long_,
      attempts: big.map(({ what, body }) => ({
        what,
        request: requestTo(endpoint, right, { visitor: stranger, body }),
        expected: anything,
      })),
      mayChange: true,
    },
  ]
}

const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

export async function asBodies(
  { cast, long }: Scene,
  endpoint: Endpoint,
  right: Right,
  turn: number,
): Promise<Group[]> {
  if (endpoint.method === 'GET') return []
  const broken = [
    '{',
    '{"a":',
    '\0',
    '{"__proto__":{"price":"0.07"}}',
    '{"constructor":{"prototype":{"price":"0.07"}}}',
    deep(30_000),
    `"${'x'.repeat(60_000)}"`,
  ]
  // These are JSON but no forms. A call without fields accepts them.
  const odd = ['null', '[]', '"text"', '7', deep(40)]
  const some = (list: string[]) => (long ? list : turnOf(list, turn, 3))
  const call = nameOf(endpoint)
  const takesNothing = !endpoint.body || isFine(endpoint, {})
  const visitor = takesNothing ? await cast.stranger() : right.visitor
  const attempt = (body: string): Attempt => ({
    what: `the body ${body.slice(0, 30)}`,
    request: requestTo(endpoint, right, { visitor, body }),
    expected: refused,
  })
  return [
    { kind: 'no form', call, attempts: some(broken).map(attempt) },
    {
      kind: 'no form',
      call,
      attempts: some(odd).map((body) => ({ ...attempt(body), ...(takesNothing && { expected: anything }) })),
      ...(takesNothing && { mayChange: true as const }),
    },
  ]
}

export function inAddress({ long }: Scene, endpoint: Endpoint, right: Right, turn: number): Group[] {
  const call = nameOf(endpoint)
  const fit = ([, text]: readonly [string, string]) => text !== '' && text.isWellFormed()
  const texts = [
    ...shortTexts.filter(fit),
    ...longTexts(3_000).slice(0, 3),
    ['a password', typedPassword] as const,
  ].filter(fit)
  const some = (at: number) => (long ? texts : turnOf(texts, turn + at, 5))
  const params = paramsOf(endpoint).flatMap((name, at) =>
    some(at).map(([kind, text]): Attempt => ({
      what: `${kind} for ${name} in the path`,
      request: requestTo(endpoint, right, { params: { [name]: text } }),
      expected: refused,
    })),
  )
  const path = pathOf(endpoint, right.params)
  const raw = [
    '?__proto__=1&constructor=2',
    `?${mark}=${encodeURIComponent(markup)}`,
    '?page[]=1&page[]=2',
    `?page=${'4%20'.repeat(2_000)}`,
    '?%00=%00',
    '?%E0%A4%A',
  ].map((query): Attempt => ({
    what: `the query ${query.slice(0, 24)}`,
    request: { ...requestTo(endpoint, right, { token: endpoint.csrf !== true }), path: path + query },
    expected: anything,
  }))
  const junk = ['%00', '%E0%A4%A', '..%2f..%2f', `${'/'.repeat(4)}`].map((tail): Attempt => ({
    what: `${tail} behind the path`,
    request: { ...requestTo(endpoint, right), path: path + tail },
    expected: refusedWith(400, 404),
  }))
  const query = fieldsOf(endpoint.query).flatMap((name, at) =>
    some(at).map(([kind, text]): Attempt => ({
      what: `${kind} for ${name} in the query`,
      request: requestTo(endpoint, right, { query: { ...right.query, [name]: text } }),
      expected: refused,
    })),
  )
  return [
    { kind: 'path', call, attempts: [...params, ...junk] },
    { kind: 'query', call, attempts: [...query, ...(endpoint.method === 'GET' ? raw : [])] },
  ]
}
