export type HttpExchange = {
  method: string
  path: string
  status: number
  headers: Headers
  body: string
}

export type ExchangeLog = {
  note(exchange: HttpExchange): void
  last(): HttpExchange | null
  lastJson(): unknown
  all(): readonly HttpExchange[]
}

export function createExchangeLog(): ExchangeLog {
  const recentExchanges: HttpExchange[] = []
  return {
    note(exchange) {
      recentExchanges.push(exchange)
      if (recentExchanges.length > 200) recentExchanges.shift()
    },
    last: () => recentExchanges.at(-1) ?? null,
    lastJson() {
      try {
        return JSON.parse(recentExchanges.at(-1)?.body ?? '')
      } catch {
        return undefined
      }
    },
    all: () => recentExchanges,
  }
}

const maxShownLength = 400

export const describeExchange = (exchange: HttpExchange | null): string => {
  if (!exchange) return 'no answer'
  const { status, body } = exchange
  const singleLine = body.slice(0, maxShownLength).replaceAll(/[\r\n]/g, ' ')
  return `HTTP ${status} ${singleLine}${body.length > maxShownLength ? ' …' : ''}`.trim()
}
