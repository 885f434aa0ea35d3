import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'

// `test.fails` is the assertion. Each of these tests would pass normally, and so fail here, if the rule did not work.
/* oxlint-disable vitest/expect-expect */
test.fails('an unexpected console.error makes its test fail', () =>
  console.error('expected here: the silence is under test'))
test.fails('an unexpected console.warn makes its test fail', () =>
  console.warn('expected here: the silence is under test'))
test.fails('a network call that leaves this machine makes its test fail', async () => {
  // RFC 2606 reserves this domain, so the name never resolves.
  await fetch('http://elsewhere.invalid/', { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
})
/* oxlint-enable vitest/expect-expect */

test('a test may spy on a console.error that it expects', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  console.error('the gateway is on fire')
  expect(said).toHaveBeenCalledWith('the gateway is on fire')
})

test('tests may make network calls to this machine', async () => {
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
