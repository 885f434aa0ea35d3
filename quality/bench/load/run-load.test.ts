import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runLoad } from './run-load.ts'

test('the load client repeats its requests in order, using POST for those with a body and GET for the rest', async () => {
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    heard.push(`${request.method} ${request.url} ${request.headers['content-length'] ?? ''} ${body}`)
    response.statusCode = heard.length > 4 ? 500 : 200
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const calls = [{ path: '/me' }, { path: '/ask', body: '{"né":1}' }]
  const { port } = server.address() as AddressInfo
  await expect(runLoad({ port, calls, connections: 1, ms: 30_000 })).rejects.toThrow('/me answered 500')
  const [look, ask] = ['GET /me  ', 'POST /ask 9 {"né":1}']
  expect(heard).toEqual([look, ask, look, ask, look])
})
