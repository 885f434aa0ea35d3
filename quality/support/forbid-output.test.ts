import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'

/*
 * The assertion is `test.fails`: each of these tests must fail because of the rule. If the rule did not work, they would pass, and
 * `test.fails` would report them.
 */
/* oxlint-disable vitest/expect-expect */
test.fails('a test fails if it causes an unexpected console.error', () =>
  console.error('expected here: the silence is under test'))
test.fails('a test fails if it causes an unexpected console.warn', () =>
  console.warn('expected here: the silence is under test'))
test.fails('a test fails if it sends a network request that leaves this machine', async () => {
  // RFC 2606 reserves this domain, so the name never resolves.
  await fetch('http://elsewhere.invalid/', { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
})
/* oxlint-enable vitest/expect-expect */

test('a test may spy on console.error if it expects an error to be logged', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  console.error('the gateway is on fire')
  expect(said).toHaveBeenCalledWith('the gateway is on fire')
})

test('tests may send network requests to this machine', async () => {
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
