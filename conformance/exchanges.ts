export type Exchange = {
  method: string
  path: string
  status: number
  headers: Headers
  body: string
}

export type Exchanges = {
  note(exchange: Exchange): void
  last(): Exchange | null
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
