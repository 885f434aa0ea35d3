import type { Endpoint } from '#kit/contract/endpoint.ts'
import { encodeAscii } from '#quality/support/hostile-texts.ts'
import type { Group } from '../run-attempts.ts'
import { buildRequest } from '../attack-request.ts'
import type { ValidRequest } from '../example.ts'
import { findExample } from '../examples.ts'
import { acceptAnyAnswer, expectRefusal } from '../answer-checks.ts'
import { isWriteCall, nameOf, type AttackContext } from '../attack-context.ts'
import { createLongTexts, markup, takeRotatingSlice } from '../malicious-texts.ts'

// Node accepts at most 16 KB for the request line and all headers combined.
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

export async function attackHeaders(
  { cast, long }: AttackContext,
  endpoint: Endpoint,
  right: ValidRequest,
  turn: number,
): Promise<Group[]> {
  const texts = [
    ...createLongTexts(most).map(([kind, text]) => [kind, encodeAscii(text, most)] as const),
    ['markup', encodeURI(markup)] as const,
  ]
  const anonymousVisitor = await cast.stranger()
  const isPublic = findExample(endpoint).who === 'anyone'
  const tries = (long ? headers : takeRotatingSlice(headers, turn, 4)).flatMap((name, at) =>
    (long ? texts : takeRotatingSlice(texts, turn + at, 1)).map(([kind, text]) => ({ name, kind, text })),
  )
  const attempts = tries.map(({ name, kind, text }) => {
    const request = buildRequest(endpoint, right, { visitor: anonymousVisitor, body: {} })
    const value = name === 'cookie' ? `fantail=${text.slice(0, most - 200)}` : text
    return {
      what: `${kind} in ${name}`,
      request: { ...request, headers: { ...request.headers, [name]: value } },
      expected: isPublic ? acceptAnyAnswer : expectRefusal,
    }
  })
  return [
    {
      kind: 'headers',
      call: nameOf(endpoint),
      attempts,
      ...(isPublic && isWriteCall(endpoint) && { mayChange: true as const }),
    },
  ]
}
