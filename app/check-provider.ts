import { ConfigError } from '#kit/server/config.ts'
import { oneOf, readSetting } from '#kit/server/config/setting.ts'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from './provider/read-provider.ts'

/*
 * The program behind `npm run check-provider FOLDER`. It checks a provider's folder as every start does, for the market in the environment
 * variable MARKET.
 */
try {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new ConfigError(['FOLDER is missing. Usage: npm run check-provider FOLDER'])
  const code = readSetting({ env: process.env, fault: throwFault }, 'MARKET', oneOf(['NZ', 'AU']), 'NZ')
  const { brand, catalogue, layout } = readProvider(folder, markets[code])
  console.log(`No faults: ${brand.name}, with ${catalogue.products.length} products.`)
  const demoLinks = JSON.stringify(layout).match(/["(]\/demo\//g)?.length ?? 0
  if (demoLinks > 0)
    console.log(
      `Before going live, change the links to /demo/ in layout.json (${demoLinks}): only the demo has these pages.`,
    )
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  for (const fault of error.faults) console.error(fault)
  process.exitCode = 1
}

function throwFault(line: string): never {
  throw new ConfigError([line])
}
