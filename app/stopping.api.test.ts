/* @module-tag slow */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { newEmail, newVisitor } from '#quality/support/visitor.ts'
import { startWorld } from '#quality/support/world.ts'

async function readAll(socket: Socket): Promise<string> {
  return Buffer.concat((await socket.toArray()) as Buffer[]).toString()
}

test('a server that is shutting down accepts no new connections, but completes a request that has already arrived', async () => {
  const world = await startWorld()
  const { hostname, port } = new URL(world.url)
  const visitor = newVisitor(world.url)
  await visitor.get('/api/account/')
  const body = JSON.stringify({ email: newEmail() })
  const socket = connect(Number(port), hostname)
  socket.write(
    [
      'POST /api/account/password_reset_request/ HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-CSRFToken: ${visitor.cookie('csrftoken')}`,
      `Cookie: ${visitor
        .cookies()
        .map((pair) => pair.join('='))
        .join('; ')}`,
      // The server sends 100 Continue once it has received the headers, so the test knows that the request has arrived.
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  )
  const [goOn] = (await once(socket, 'data')) as [Buffer]
  expect(goOn.toString()).toMatch(/^HTTP\/1\.1 100 Continue/)

  const closed = world.close()
  const refused = connect(Number(port), hostname)
  expect(await once(refused, 'error').then(([error]) => (error as NodeJS.ErrnoException).code)).toBe('ECONNREFUSED')
  socket.write(body)
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /)
  await closed
})
