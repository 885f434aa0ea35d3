import { request } from 'node:http'
import { operatorAddress } from '#app/operator-address.ts'

export type Answer = { status: number; body: unknown }

/**
 * Asks the product that runs on this data directory.
 * @throws what `isNotRunning` recognises, when none does
 */
export async function call(dataDir: string, method: 'GET' | 'POST', path: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asked = request({ socketPath: operatorAddress(dataDir), method, path, timeout: 60_000 }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })).on('error', reject)
  })
  asked.on('error', reject).on('timeout', () => asked.destroy(new Error('The product does not answer.')))
  asked.end()
  return promise
}

/** Nothing listens there: no such socket, a product that was killed, or one of another user. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code))
