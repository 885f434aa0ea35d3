import type { Endpoint } from '#kit/contract/endpoint.ts'
import { inAscii } from '#quality/support/nasty-texts.ts'
import type { Group } from '../attempt.ts'
import { requestTo } from '../call.ts'
import type { Right } from '../example.ts'
import { exampleOf } from '../examples.ts'
import { anything, refused } from '../judge.ts'
import { changesSomething, nameOf, type Scene } from '../scene.ts'
import { longTexts, markup, turnOf } from '../texts.ts'

// Node accepts 16 KB of request line and headers in all.
const most = 12_000
const headers = [
  'accept-encoding',
  'accept-language',
  'cookie',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'idempotency-key',
  'if-none-match',
  'referer',
  'x-request-id',
]

export async function inHeaders(
  { cast, long }: Scene,
  endpoint: Endpoint,
  right: Right,
  turn: number,
): Promise<Group[]> {
  const texts = [
    ...longTexts(most).map(([kind, text]) => [kind, inAscii(text, most)] as const),
    ['markup', encodeURI(markup)] as const,
  ]
  const stranger = await cast.stranger()
  const isOpen = exampleOf(endpoint).who === 'anyone'
  const tries = (long ? headers : turnOf(headers, turn, 4)).flatMap((name, at) =>
    (long ? texts : turnOf(texts, turn + at, 1)).map(([kind, text]) => ({ name, kind, text })),
  )
  const attempts = tries.map(({ name, kind, text }) => {
    const request = requestTo(endpoint, right, { visitor: stranger, body: {} })
    const value = name === 'cookie' ? `fantail=${text.slice(0, most - 200)}` : text
    return {
      what: `${kind} in ${name}`,
      request: { ...request, headers: { ...request.headers, [name]: value } },
      expected: isOpen ? anything : refused,
    }
  })
  return [
    {
      kind: 'headers',
      call: nameOf(endpoint),
      attempts,
      ...(isOpen && changesSomething(endpoint) && { mayChange: true as const }),
    },
  ]
}
