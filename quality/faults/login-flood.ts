import { Worker } from 'node:worker_threads'

/**
 * The result of a login flood: the number of responses by status (if there was no response, `none` with the reason), and the 50th and 99th
 * percentiles of the response time in milliseconds.
 */
export type FloodReport = { statuses: Record<string, number>; p50: number; p99: number }

/**
 * Simulates strangers who keep trying passwords. If Fantail trusts `X-Forwarded-For`, each attempt comes from a different address. The
 * strangers run in a worker thread, so that they do not distort the caller's measurements.
 */
export function floodLogins(url: string, clients: number): { stop(): Promise<FloodReport> } {
  const worker = new Worker(new URL('./login-flooder.ts', import.meta.url), { workerData: { url, clients } })
  const reportPromise = new Promise<FloodReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the flood ended by itself, with ${code}`)))
  })
  // Ignore the error here; `stop` throws it.
  reportPromise.catch(() => {})
  return {
    async stop() {
      worker.postMessage('stop') // oxlint-disable-line unicorn/require-post-message-target-origin -- no window
      return reportPromise
    },
  }
}
