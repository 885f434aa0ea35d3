import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'

// `fails` is the assertion: each of these tests would pass if the rule did not work.
/* oxlint-disable vitest/expect-expect */
test.fails('an unexpected console.error fails its test', () =>
  console.error('expected here: the silence is under test'))
test.fails('an unexpected console.warn fails its test', () => console.warn('expected here: the silence is under test'))
test.fails('a call that leaves this machine fails its test', async () => {
  // RFC 2606 guarantees that this name never exists.
  await fetch('http://elsewhere.invalid/', { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
})
/* oxlint-enable vitest/expect-expect */

test('an expected console.error can be spied on', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  console.error('the gateway is on fire')
  expect(said).toHaveBeenCalledWith('the gateway is on fire')
})

test('calls on this machine are allowed', async () => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const host of ['127.0.0.1', 'localhost']) {
    const answer = await fetch(`http://${host}:${port}/`)
    expect(await answer.text()).toBe('here')
  }
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
