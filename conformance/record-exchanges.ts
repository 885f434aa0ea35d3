import type { HttpResponse } from '#providers/http/send-http.ts'
import type { Exchanges } from './exchanges.ts'

export const recordExchanges =
  <Request extends { method: string; url: string }>(
    send: (request: Request) => Promise<HttpResponse>,
    exchanges: Exchanges,
  ) =>
  async (request: Request): Promise<HttpResponse> => {
    const answer = await send(request)
    const { pathname, search } = new URL(request.url)
    exchanges.note({ method: request.method, path: pathname + search, ...answer })
    return answer
  }
