import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { Attempt, Group } from '../run-attempts.ts'
import { buildVisitorRequest, buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { findExample } from '../examples.ts'
import { expectRefusal, expectStatus } from '../answer-checks.ts'
import { fieldsOf, nameOf, paramsOf, type AttackContext } from '../attack-context.ts'

export async function attackAsWrongVisitor(
  { cast }: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
): Promise<Group[]> {
  const { who = 'confirmed' } = findExample(endpoint)
  if (who === 'anyone') return []
  const [call, outside] = [nameOf(endpoint), who === 'session' ? expectRefusal : expectStatus(401)]
  const anonymousVisitor = await cast.stranger()
  const bare = { ...buildRequest(endpoint, right), headers: { 'content-type': 'application/json' } }
  const ended = cast.ended.map(([how, visitor]): Attempt => ({
    what: `a session that is ${how}`,
    request: buildVisitorRequest(endpoint, right, visitor),
    expected: outside,
  }))
  return [
    {
      kind: 'no session',
      call,
      attempts: [
        { what: 'a stranger', request: buildVisitorRequest(endpoint, right, anonymousVisitor), expected: outside },
        { what: 'without a cookie', request: bare, expected: expectRefusal },
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
          expected: expectRefusal,
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
                request: buildVisitorRequest(endpoint, right, cast.unverified.visitor),
                expected: expectStatus(403),
              },
            ],
          },
        ]
      : []),
  ]
}

export function attackWithForeignIds(
  { cast: { victim, unverified } }: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
): Group[] {
  if (findExample(endpoint).bearer) return []
  const victimValues: Record<string, readonly string[]> = {
    ...Object.fromEntries(Object.entries(victim.has).map(([name, value]) => [name, [value]])),
    uuid: victim.services.map(({ id }) => id),
    token: [unverified.verifyToken, victim.links.reset.token, victim.links.phone, victim.links.address],
    uid: [victim.links.reset.uid],
  }
  const [params, fields] = [
    paramsOf(endpoint).filter((name) => name in victimValues),
    fieldsOf(endpoint.body).filter((name) => name in victimValues),
  ]
  const all = (names: string[]) => Object.fromEntries(names.map((name) => [name, victimValues[name]?.[0] ?? '']))
  const attempts: Attempt[] = [
    ...params.flatMap((name) =>
      (victimValues[name] ?? []).map((value) => ({
        what: `another’s ${name} in the path`,
        request: buildRequest(endpoint, right, { params: { [name]: value } }),
        expected: expectRefusal,
      })),
    ),
    ...(params.length > 1
      ? [
          {
            what: `another’s ${params.join(' and ')}`,
            request: buildRequest(endpoint, right, { params: all(params) }),
            expected: expectStatus(404),
          },
        ]
      : []),
    ...fields.flatMap((name) =>
      (victimValues[name] ?? []).map((value) => ({
        what: `another’s ${name} in the body`,
        request: buildRequest(endpoint, right, { body: { ...right.body, [name]: value } }),
        expected: expectRefusal,
      })),
    ),
    ...(fields.length > 1
      ? [
          {
            what: `another’s ${fields.join(' and ')}`,
            request: buildRequest(endpoint, right, { body: { ...right.body, ...all(fields) } }),
            expected: expectRefusal,
          },
        ]
      : []),
  ]
  return [{ kind: 'another’s things', call: nameOf(endpoint), attempts }]
}
