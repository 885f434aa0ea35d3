import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { Attempt, Group } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { expectRefusal, expectStatus } from '../answer-checks.ts'
import { isWriteCall, nameOf, type AttackContext } from '../attack-context.ts'

export function attackFromAnotherSite(
  { cast, world }: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
): Group[] {
  if (!isWriteCall(endpoint)) return []
  const requestWithoutToken = buildRequest(endpoint, right, { token: false })
  const other = cast.victim.visitor.cookie('csrftoken') ?? ''
  const own = right.visitor.cookies().map(([name, value]) => `${name}=${value}`)
  const plantedCookies = own.map((pair) => pair.replace(/^csrftoken=.*/, 'csrftoken=planted')).join('; ')
  const plantedCookie = 'csrftoken=planted'
  const tries: [what: string, headers: Record<string, string>][] = [
    ['no token', {}],
    ['an empty token', { 'x-csrftoken': '' }],
    ['another session’s token', { 'x-csrftoken': other }],
    ['a token that is the same in a cookie', { 'x-csrftoken': 'planted', cookie: plantedCookies }],
    [
      'a token that is the same in a first cookie',
      { 'x-csrftoken': 'planted', cookie: [plantedCookie, ...own].join('; ') },
    ],
    [
      'a token that is the same in a last cookie',
      { 'x-csrftoken': 'planted', cookie: [...own, plantedCookie].join('; ') },
    ],
    ...['https://evil.example', 'null', `${world.url}.evil.example`, world.url.replace('http:', 'https:')].map(
      (origin): [string, Record<string, string>] => [
        `the origin ${origin}`,
        { 'x-csrftoken': right.visitor.cookie('csrftoken') ?? '', origin },
      ],
    ),
  ]
  const attempts = tries.map(([what, headers]): Attempt => ({
    what,
    request: { ...requestWithoutToken, headers: { ...requestWithoutToken.headers, ...headers } },
    expected: expectStatus(403),
  }))
  const [token, origin] = [
    attempts.filter(({ what }) => what.includes('token')),
    attempts.filter(({ what }) => what.includes('origin')),
  ]
  return [
    { kind: 'CSRF token', call: nameOf(endpoint), attempts: token },
    { kind: 'foreign origin', call: nameOf(endpoint), attempts: origin },
    attackWithContentTypes(endpoint, right),
  ]
}

function attackWithContentTypes(endpoint: Endpoint, right: ValidRequest): Group {
  const fields = Object.entries(right.body ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const bodies: [type: string, body: string][] = [
    ['text/plain', JSON.stringify(right.body ?? {})],
    ['application/x-www-form-urlencoded', new URLSearchParams(fields).toString() || 'a=1'],
    ['multipart/form-data; boundary=x', `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n`],
  ]
  const attempts = bodies.map(([type, body]): Attempt => ({
    what: `as ${type}`,
    request: buildRequest(endpoint, right, { body, headers: { 'content-type': type } }),
    expected: expectStatus(415),
  }))
  return { kind: 'foreign form', call: nameOf(endpoint), attempts: endpoint.method === 'GET' ? [] : attempts }
}

const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']

export function attackWithWrongMethod({ endpoints }: AttackContext, endpoint: Endpoint, right: ValidRequest): Group[] {
  const allowedMethods = endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method as string)
  // Every endpoint that supports GET also supports HEAD.
  const wrong = verbs.filter(
    (verb) => !allowedMethods.includes(verb) && !(verb === 'HEAD' && allowedMethods.includes('GET')),
  )
  const request = buildRequest(endpoint, right)
  const queryParameters = new URLSearchParams(
    Object.entries(right.body ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const isReadMethod = (verb: string) => verb === 'GET' || verb === 'HEAD'
  const attempts: Attempt[] = wrong.flatMap((method) => {
    const headers = { ...request.headers, 'x-http-method-override': endpoint.method }
    if (!isReadMethod(method))
      return [
        {
          what: method,
          request: { ...request, method, headers: { ...headers, 'content-type': 'application/json' } },
          expected: expectRefusal,
        },
      ]
    return [
      {
        what: method,
        request: {
          method,
          path: `${request.path}${request.path.includes('?') ? '&' : '?'}${queryParameters.slice(0, 3_000)}`,
          headers,
        },
        expected: expectRefusal,
      },
    ]
  })
  return [{ kind: 'wrong verb', call: nameOf(endpoint), attempts }]
}
