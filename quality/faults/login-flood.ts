import { Worker } from 'node:worker_threads'

/** What came of a flood: answers by status (`none`, and why: no answer), and within how many milliseconds half and 99 of 100 came. */
export type FloodReport = { statuses: Record<string, number>; p50: number; p99: number }

/**
 * Strangers who try passwords without a pause, each from an address of its own where the product trusts `X-Forwarded-For`. They run on
 * a thread of their own, so that whoever measures beside them measures the product.
 */
export function floodLogins(url: string, clients: number): { stop(): Promise<FloodReport> } {
  const worker = new Worker(new URL('./login-flooder.ts', import.meta.url), { workerData: { url, clients } })
  const report = new Promise<FloodReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the flood ended by itself, with ${code}`)))
  })
  // It is looked at when it is stopped.
  report.catch(() => {})
  return {
    async stop() {
      worker.postMessage('stop') // oxlint-disable-line unicorn/require-post-message-target-origin -- no window
      return report
    },
  }
}
