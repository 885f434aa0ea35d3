import { createRequire } from 'node:module'
import { join } from 'node:path'
import { maxConnections } from './peer.ts'

type VendurePackage = {
  bootstrap(config: object): Promise<unknown>
  DefaultLogger: new (options: { level: unknown }) => object
  LogLevel: { Error: unknown }
}

const { DATABASE_URL, PORT, VENDURE_FOLDER = '', VENDURE_SECRET } = process.env
const load = createRequire(join(VENDURE_FOLDER, 'package.json')) as (name: string) => unknown
const { bootstrap, DefaultLogger, LogLevel } = load('@vendure/core') as VendurePackage

/*
 * The configuration follows Vendure's guide, for a shop that only has customers. Jobs, sessions and caches are kept in memory, and requests
 * don't wait for emails to be sent.
 */
await bootstrap({
  apiOptions: { hostname: '127.0.0.1', port: Number(PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: 'bearer',
    requireVerification: false,
    superadminCredentials: { identifier: 'bench', password: VENDURE_SECRET },
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: DATABASE_URL,
    synchronize: true,
    logging: false,
    poolSize: maxConnections,
  },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [],
})
