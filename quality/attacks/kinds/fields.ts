import { type Endpoint, buildPath } from '#kit/contract/endpoint.ts'
import { createSizeCheck } from '#kit/server/input-limits.ts'
import type { Attempt, Group } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { isValidBody } from '../examples.ts'
import { acceptAnyAnswer, expectRefusal, expectStatus } from '../answer-checks.ts'
import { fieldsOf, nameOf, paramsOf, type AttackContext } from '../attack-context.ts'
import {
  cardNumber,
  createLongTexts,
  mark,
  markup,
  shortTexts,
  takeRotatingSlice,
  typedPassword,
  wrongTypeValues,
} from '../malicious-texts.ts'

/**
 * Separates bodies that match the contract, which Fantail may accept, from those that don't, which it must reject without changing
 * anything.
 */
function groupByValidity(endpoint: Endpoint, kind: string, tries: (Attempt & { body: unknown })[]): Group[] {
  const findOversizedParts = createSizeCheck(endpoint)
  // The server never parses a body above its size limit, so such a body is not validated here either.
  const isValid = ({ body }: { body: unknown }) =>
    !findOversizedParts({ params: undefined, query: undefined, body }).body &&
    isValidBody(endpoint, body) &&
    !JSON.stringify(body).includes(cardNumber)
  const [takable, not] = [tries.filter(isValid), tries.filter((one) => !isValid(one))]
  const call = nameOf(endpoint)
  return [
    { kind, call, attempts: not },
    { kind, call, attempts: takable.map((attempt) => ({ ...attempt, expected: acceptAnyAnswer })), mayChange: true },
  ]
}

export async function attackFields(
  { cast, long }: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
  turn: number,
): Promise<Group[]> {
  const fields = fieldsOf(endpoint.body)
  const with_ = (field: string, value: unknown) => ({ ...right.body, [field]: value })
  const one = (kind: string, field: string, value: unknown) => ({
    what: `${kind} in ${field}`,
    body: with_(field, value),
    request: buildRequest(endpoint, right, { body: with_(field, value) }),
    expected: expectRefusal,
  })
  const texts = (list: typeof shortTexts, at: number, count: number) =>
    long ? list : takeRotatingSlice(list, at, count)
  const wrong = fields.flatMap((field, at) =>
    (long ? wrongTypeValues : takeRotatingSlice(wrongTypeValues, turn + at, 6)).map(([kind, value]) =>
      one(kind, field, value),
    ),
  )
  const short = fields.flatMap((field, at) =>
    texts(shortTexts, turn + at, 6).map(([kind, text]) => one(kind, field, text)),
  )
  // Sizes of long strings in bytes: a typical one, one just below the largest body that the server accepts, and one far above it.
  const big = [10_000, 15_500, 60_000].flatMap((bytes, at) =>
    texts(createLongTexts(bytes), turn + at, at === 2 ? 1 : 3).map(([kind, text], place) =>
      one(`${bytes} bytes of ${kind}`, fields[(turn + place) % fields.length] ?? mark, text),
    ),
  )
  const long_ = { kind: 'field: long text', call: nameOf(endpoint) }
  if (endpoint.method === 'GET') return []
  if (fields.length > 0)
    return [
      ...groupByValidity(endpoint, 'field: wrong type', wrong),
      ...groupByValidity(endpoint, 'field: nasty text', short),
      ...groupByValidity(endpoint, 'field: long text', big),
    ]
  // If an endpoint has no fields, send the request as an anonymous visitor, for whom it has no effect.
  const anonymousVisitor = await cast.stranger()
  return [
    {
      ...long_,
      attempts: big.map(({ what, body }) => ({
        what,
        request: buildRequest(endpoint, right, { visitor: anonymousVisitor, body }),
        expected: acceptAnyAnswer,
      })),
      mayChange: true,
    },
  ]
}

const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

export async function attackBodies(
  { cast, long }: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
  turn: number,
): Promise<Group[]> {
  if (endpoint.method === 'GET') return []
  const malformedBodies = [
    '{',
    '{"a":',
    '\0',
    '{"__proto__":{"price":"0.07"}}',
    '{"constructor":{"prototype":{"price":"0.07"}}}',
    deep(30_000),
    `"${'x'.repeat(60_000)}"`,
  ]
  // These bodies are valid JSON but not objects with form fields. An endpoint that has no fields accepts them.
  const odd = ['null', '[]', '"text"', '7', deep(40)]
  const some = (list: string[]) => (long ? list : takeRotatingSlice(list, turn, 3))
  const call = nameOf(endpoint)
  const acceptsEmptyBody = !endpoint.body || isValidBody(endpoint, {})
  const visitor = acceptsEmptyBody ? await cast.stranger() : right.visitor
  const createAttempt = (body: string): Attempt => ({
    what: `the body ${body.slice(0, 30)}`,
    request: buildRequest(endpoint, right, { visitor, body }),
    expected: expectRefusal,
  })
  return [
    { kind: 'no form', call, attempts: some(malformedBodies).map(createAttempt) },
    {
      kind: 'no form',
      call,
      attempts: some(odd).map((body) => ({
        ...createAttempt(body),
        ...(acceptsEmptyBody && { expected: acceptAnyAnswer }),
      })),
      ...(acceptsEmptyBody && { mayChange: true as const }),
    },
  ]
}

export function attackUrl({ long }: AttackContext, endpoint: Endpoint, right: ValidRequest, turn: number): Group[] {
  const call = nameOf(endpoint)
  const fit = ([, text]: readonly [string, string]) => text !== '' && text.isWellFormed()
  const texts = [
    ...shortTexts.filter(fit),
    ...createLongTexts(3_000).slice(0, 3),
    ['a password', typedPassword] as const,
  ].filter(fit)
  const some = (at: number) => (long ? texts : takeRotatingSlice(texts, turn + at, 5))
  const params = paramsOf(endpoint).flatMap((name, at) =>
    some(at).map(([kind, text]): Attempt => ({
      what: `${kind} for ${name} in the path`,
      request: buildRequest(endpoint, right, { params: { [name]: text } }),
      expected: expectRefusal,
    })),
  )
  const path = buildPath(endpoint, right.params)
  const raw = [
    '?__proto__=1&constructor=2',
    `?${mark}=${encodeURIComponent(markup)}`,
    '?page[]=1&page[]=2',
    `?page=${'4%20'.repeat(2_000)}`,
    '?%00=%00',
    '?%E0%A4%A',
  ].map((query): Attempt => ({
    what: `the query ${query.slice(0, 24)}`,
    request: { ...buildRequest(endpoint, right, { token: endpoint.csrf !== true }), path: path + query },
    expected: acceptAnyAnswer,
  }))
  const junk = ['%00', '%E0%A4%A', '..%2f..%2f', `${'/'.repeat(4)}`].map((tail): Attempt => ({
    what: `${tail} after the path`,
    request: { ...buildRequest(endpoint, right), path: path + tail },
    expected: expectStatus(400, 404),
  }))
  const query = fieldsOf(endpoint.query).flatMap((name, at) =>
    some(at).map(([kind, text]): Attempt => ({
      what: `${kind} for ${name} in the query`,
      request: buildRequest(endpoint, right, { query: { ...right.query, [name]: text } }),
      expected: expectRefusal,
    })),
  )
  return [
    { kind: 'path', call, attempts: [...params, ...junk] },
    { kind: 'query', call, attempts: [...query, ...(endpoint.method === 'GET' ? raw : [])] },
  ]
}
