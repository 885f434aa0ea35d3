/**
 * The kinds of requests that customers send on an ordinary day, out of every 100 requests: 70 open the dashboard or read a service's usage,
 * 20 read something else, and 10 change something.
 */
export const requestShares = {
  'dashboard page': 35,
  'usage summary': 35,
  account: 5,
  services: 5,
  invoices: 4,
  'alerts of a service': 2,
  'one invoice': 2,
  products: 2,
  'save alerts': 5,
  'log in': 3,
  renewal: 2,
} as const satisfies Record<string, number>

export type DayRequestKind = keyof typeof requestShares

export const writeRequestKinds: readonly DayRequestKind[] = ['save alerts', 'log in', 'renewal']

const requestMix = Object.entries(requestShares).flatMap(([call, times]) =>
  Array.from({ length: times }, () => call as DayRequestKind),
)

/**
 * The step size for going through the list of 100 requests. It has no factor in common with 100, so 100 consecutive requests use every
 * entry once, and requests of the same kind are spread out.
 */
const stride = 37

export const getRequestKind = (nth: number): DayRequestKind =>
  requestMix[(nth * stride) % requestMix.length] ?? 'account'
