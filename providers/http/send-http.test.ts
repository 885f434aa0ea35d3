import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { describeCause, createSendHttp } from './send-http.ts'

const send = createSendHttp({ cert: null, key: null, ca: null })

async function askedOf(
  server: RequestListener,
  {
    body,
    patienceMs = 20_000,
    ...options
  }: { body?: string; patienceMs?: number; ignoresBody?: boolean; maxBytes?: number } = {},
) {
  const one = createServer(server)
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    one.closeAllConnections()
    one.close()
  })
  const url = `http://127.0.0.1:${(one.address() as AddressInfo).port}/`
  const signal = AbortSignal.timeout(patienceMs)
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: {},
    signal,
    ...options,
    ...(body !== undefined && { body }),
  }
  return send(request).catch(describeCause)
}

test('an HTTP response is read completely with its headers, and a request body is sent with its length', async () => {
  const answer = await askedOf(
    async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString()
      response.writeHead(201, { 'x-length': request.headers['content-length'] })
      response.end(`${text} ō`)
    },
    { body: 'tō pou' },
  )
  expect(answer).toMatchObject({ status: 201, body: 'tō pou ō' })
  expect(typeof answer !== 'string' && answer.headers.get('X-Length')).toBe('7')
})

test('a response larger than the limit, 256 KB by default, is abandoned', async () => {
  const answerOf =
    (kilobytes: number): RequestListener =>
    (_request, response) =>
      void Readable.from(Array.from({ length: kilobytes }, () => Buffer.alloc(1_024))).pipe(response)
  expect(await askedOf(answerOf(256))).toMatchObject({ status: 200 })
  expect(await askedOf(answerOf(257))).toBe('an answer that is too long')
  expect(await askedOf(answerOf(257), { maxBytes: 1_024 * 1_024 })).toMatchObject({ status: 200 })
  expect(await askedOf(answerOf(100_000), { maxBytes: 1_024 * 1_024 })).toBe('an answer that is too long')
})

test('a compressed response is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const answer = await askedOf((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  expect(typeof answer !== 'string' && answer.body.length).toBeLessThanOrEqual(bomb.length)
})

test('a response body that is not needed is left unread, and the connection is closed', async () => {
  let ended = false
  const endless: RequestListener = (_request, response) => {
    response.on('close', () => (ended = true)).writeHead(200, { 'x-taken': 'yes' })
    response.write('{')
  }
  const answer = await askedOf(endless, { ignoresBody: true })
  expect(answer).toMatchObject({ status: 200, body: '' })
  await expect.poll(() => ended).toBe(true)
})

test('a response that breaks off counts as a failed connection', async () => {
  expect(await askedOf((_request, response) => void response.write('{', () => response.destroy()))).toBe('ECONNRESET')
})

test.each([
  ['no', () => {}],
  ['only half of a', (_request, response) => void response.writeHead(200).write('{')],
] satisfies [string, RequestListener][])(
  'an HTTP call times out when it gets %s response in time',
  async (_what, server) => {
    expect(await askedOf(server, { patienceMs: 100 })).toBe('TimeoutError')
  },
)

test('a redirect counts as a failure and is not followed', async () => {
  const paths: unknown[] = []
  const answer = await askedOf((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(answer).toBe('a redirect (HTTP 307)')
  expect(paths).toEqual(['/'])
})

test('a response that switches protocols counts as a failure', async () => {
  const server = createServer()
  server.on('connection', (socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const sent = send({ method: 'GET', url, headers: {}, signal: AbortSignal.timeout(2_000) })
  await expect(sent).rejects.toThrow('another protocol (HTTP 101)')
})
