import type { HttpResponse } from '#providers/http/send-http.ts'
import type { ExchangeLog } from './exchange-log.ts'

export const recordExchanges =
  <Request extends { method: string; url: string }>(
    send: (request: Request) => Promise<HttpResponse>,
    exchanges: ExchangeLog,
  ) =>
  async (request: Request): Promise<HttpResponse> => {
    const answer = await send(request)
    const { pathname, search } = new URL(request.url)
    exchanges.note({ method: request.method, path: pathname + search, ...answer })
    return answer
  }
