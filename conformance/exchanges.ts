/** A raw response for the report, which shows more than the adapter's result. */
export type Exchange = {
  method: string
  /** Path and query. */
  path: string
  status: number
  headers: Headers
  body: string
}

export type Exchanges = {
  note(exchange: Exchange): void
  last(): Exchange | null
  /** The last response's body as JSON. `undefined` if the body is not JSON. */
  lastJson(): unknown
  all(): readonly Exchange[]
}

export function createExchanges(): Exchanges {
  const kept: Exchange[] = []
  return {
    note(exchange) {
      kept.push(exchange)
      if (kept.length > 200) kept.shift()
    },
    last: () => kept.at(-1) ?? null,
    lastJson() {
      try {
        return JSON.parse(kept.at(-1)?.body ?? '')
      } catch {
        return undefined
      }
    },
    all: () => kept,
  }
}

const longestShown = 400

export const shown = (exchange: Exchange | null): string => {
  if (!exchange) return 'no answer'
  const { status, body } = exchange
  const oneLine = body.slice(0, longestShown).replaceAll(/[\r\n]/g, ' ')
  return `HTTP ${status} ${oneLine}${body.length > longestShown ? ' …' : ''}`.trim()
}
