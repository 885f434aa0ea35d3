import { ConfigFault, readConfig } from '#kit/server/config.ts'
import { start } from './start.ts'

try {
  const config = readConfig(process.env)
  const product = await start(config, { pages: pagesAsked(process.argv) })
  if (config.market.code === 'AU')
    console.log('Australian law asks for an identity check before activation. This product does not do one yet.')
  console.log(`Fantail is ready at ${product.url}`)
  let closing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1)
      closing = true
      void product.close().then(() => process.exit(0))
    })
  }
} catch (error) {
  if (!(error instanceof ConfigFault)) throw error
  for (const fault of error.faults) console.error(fault)
  process.exit(1)
}

/** `--dev`: with hot reload. `--api-only`: no pages at all, and so nothing to build first. */
function pagesAsked(args: string[]): 'built' | 'dev' | 'none' {
  if (args.includes('--dev')) return 'dev'
  return args.includes('--api-only') ? 'none' : 'built'
}
