import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { Attempt, Group } from '../attempt.ts'
import { asAnother, requestTo } from '../call.ts'
import type { Right } from '../example.ts'
import { exampleOf } from '../examples.ts'
import { refused, refusedWith } from '../judge.ts'
import { fieldsOf, nameOf, paramsOf, type Scene } from '../scene.ts'

export async function byTheWrongOnes({ cast }: Scene, endpoint: Endpoint, right: Right): Promise<Group[]> {
  const { who = 'confirmed' } = exampleOf(endpoint)
  if (who === 'anyone') return []
  const [call, outside] = [nameOf(endpoint), who === 'session' ? refused : refusedWith(401)]
  const stranger = await cast.stranger()
  const bare = { ...requestTo(endpoint, right), headers: { 'content-type': 'application/json' } }
  const ended = cast.ended.map(([how, visitor]): Attempt => ({
    what: `a session that is ${how}`,
    request: asAnother(endpoint, right, visitor),
    expected: outside,
  }))
  return [
    {
      kind: 'no session',
      call,
      attempts: [
        { what: 'a stranger', request: asAnother(endpoint, right, stranger), expected: outside },
        { what: 'without a cookie', request: bare, expected: refused },
        {
          what: 'a cookie of one’s own making',
          request: {
            ...bare,
            headers: {
              ...bare.headers,
              cookie: `fantail=${'a'.repeat(43)}.${'0'.repeat(32)}; csrftoken=${'b'.repeat(32)}`,
              'x-csrftoken': 'b'.repeat(32),
            },
          },
          expected: refused,
        },
      ],
    },
    { kind: 'ended session', call, attempts: ended },
    ...(who === 'confirmed'
      ? [
          {
            kind: 'unverified account',
            call,
            attempts: [
              {
                what: 'before they confirmed their address',
                request: asAnother(endpoint, right, cast.unverified.visitor),
                expected: refusedWith(403),
              },
            ],
          },
        ]
      : []),
  ]
}

export function withOthersThings({ cast: { victim, unverified } }: Scene, endpoint: Endpoint, right: Right): Group[] {
  if (exampleOf(endpoint).bearer) return []
  const theirs: Record<string, readonly string[]> = {
    ...Object.fromEntries(Object.entries(victim.has).map(([name, value]) => [name, [value]])),
    uuid: victim.services.map(({ id }) => id),
    token: [unverified.verifyToken, victim.links.reset.token, victim.links.phone, victim.links.address],
    uid: [victim.links.reset.uid],
  }
  const [params, fields] = [
    paramsOf(endpoint).filter((name) => name in theirs),
    fieldsOf(endpoint.body).filter((name) => name in theirs),
  ]
  const all = (names: string[]) => Object.fromEntries(names.map((name) => [name, theirs[name]?.[0] ?? '']))
  const attempts: Attempt[] = [
    ...params.flatMap((name) =>
      (theirs[name] ?? []).map((value) => ({
        what: `another’s ${name} in the path`,
        request: requestTo(endpoint, right, { params: { [name]: value } }),
        expected: refused,
      })),
    ),
    ...(params.length > 1
      ? [
          {
            what: `another’s ${params.join(' and ')}`,
            request: requestTo(endpoint, right, { params: all(params) }),
            expected: refusedWith(404),
          },
        ]
      : []),
    ...fields.flatMap((name) =>
      (theirs[name] ?? []).map((value) => ({
        what: `another’s ${name} in the body`,
        request: requestTo(endpoint, right, { body: { ...right.body, [name]: value } }),
        expected: refused,
      })),
    ),
    ...(fields.length > 1
      ? [
          {
            what: `another’s ${fields.join(' and ')}`,
            request: requestTo(endpoint, right, { body: { ...right.body, ...all(fields) } }),
            expected: refused,
          },
        ]
      : []),
  ]
  return [{ kind: 'another’s things', call: nameOf(endpoint), attempts }]
}
