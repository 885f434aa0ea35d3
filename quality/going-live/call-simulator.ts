import { request } from 'node:https'

export type TlsCredentials = { ca: Buffer; cert: Buffer; key: Buffer }

/** Reads a simulator's ledger or sends a command to its controls. @throws if the simulator rejects the request */
export async function callSimulator(url: string, papers: TlsCredentials, body?: unknown): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const method = body === undefined ? 'GET' : 'POST'
  request(url, { ...papers, method, headers: { 'content-type': 'application/json' } }, (response) => {
    response.toArray().then((parts) => {
      const text = Buffer.concat(parts as Buffer[]).toString()
      if ((response.statusCode ?? 500) >= 300) reject(new Error(`${url} answered ${response.statusCode}: ${text}`))
      else resolve(text ? JSON.parse(text) : null)
    }, reject)
  })
    .on('error', reject)
    .end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}
