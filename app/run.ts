import { flushCompileCache } from 'node:module'
import { readConfig } from '#kit/server/config.ts'
import { isLoopbackHost } from '#kit/server/host.ts'
import { startInvoicePdfWorker } from '#features/invoices/server/invoice-file.ts'
import type { RunningProduct } from './product.ts'
import { start } from './start.ts'
import { describeStartErrors } from './start-errors.ts'

/**
 * Maximum milliseconds for a clean shutdown, one second less than container runtimes allow. The next process picks up
 * any unfinished work.
 */
const maxShutdownMs = 9_000
/**
 * Milliseconds before the invoice PDF worker starts, so that requests that were waiting for the application to start are answered first.
 */
const pdfWorkerDelayMs = 2_000

let product: RunningProduct | null = null
let closing = false
// The handlers are registered first, because a container's first process ignores these signals unless it handles them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!product) process.exit(0)
    if (closing) process.exit(1)
    closing = true
    setTimeout(() => process.exit(1), maxShutdownMs).unref()
    product.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
}

try {
  const config = readConfig(process.env)
  product = await start(config, { pages: pagesMode(process.argv) })
  if (config.market.code === 'AU')
    console.log('Australian law requires an identity check before activation. Fantail does not perform this check yet.')
  if (config.mode === 'demo' && !isLoopbackHost(config.host))
    console.warn(
      `WARNING: other machines can connect to this demo (HOST=${config.host}). ` +
        'Anyone who can connect can read the demo’s mailbox and move its clock.',
    )
  // The compile cache is written now rather than on exit, because the process may be killed without warning.
  flushCompileCache()
  if (product.deskUrl) console.log(`The desk is ready at ${product.deskUrl}`)
  console.log(`Fantail is ready at ${product.url}`)
  setTimeout(startInvoicePdfWorker, pdfWorkerDelayMs).unref()
} catch (error) {
  const faults = describeStartErrors(error)
  if (!faults) throw error
  for (const fault of faults) console.error(fault)
  process.exit(1)
}

function pagesMode(args: string[]): 'built' | 'dev' | 'none' {
  if (args.includes('--dev')) return 'dev'
  return args.includes('--api-only') ? 'none' : 'built'
}
