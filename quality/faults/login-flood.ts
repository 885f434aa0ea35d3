import { Worker } from 'node:worker_threads'

/**
 * The result of a flood: answers by status (`none` with the reason for no answer), and the milliseconds within which 50 and 99 of 100
 * came.
 */
export type FloodReport = { statuses: Record<string, number>; p50: number; p99: number }

/**
 * Strangers who try passwords without a pause, each from an address of its own if the product trusts `X-Forwarded-For`. They run on a
 * thread of their own, so that a measurement beside them measures the product.
 */
export function floodLogins(url: string, clients: number): { stop(): Promise<FloodReport> } {
  const worker = new Worker(new URL('./login-flooder.ts', import.meta.url), { workerData: { url, clients } })
  const report = new Promise<FloodReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the flood ended by itself, with ${code}`)))
  })
  // The error is seen when the flood is stopped.
  report.catch(() => {})
  return {
    async stop() {
      worker.postMessage('stop') // oxlint-disable-line unicorn/require-post-message-target-origin -- no window
      return report
    },
  }
}
