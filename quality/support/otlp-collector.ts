import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

type OtlpExport = {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

export async function startCollector(): Promise<{
  url: string
  spans(): Span[]
  services(): Set<string>
  close(): Promise<void>
}> {
  const exports: OtlpExport[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end()
    exports.push((await json(request)) as OtlpExport)
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent = () => exports.flatMap(({ resourceSpans }) => resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    services: () =>
      new Set(
        sent().flatMap(({ resource }) =>
          resource.attributes.filter(({ key }) => key === 'service.name').map(({ value }) => value.stringValue ?? ''),
        ),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
