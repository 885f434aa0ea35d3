import { ConfigError, readDatabaseConfig } from '#kit/server/config.ts'
import { openDatabase } from '#kit/server/db.ts'
import { prepareDatabase } from './prepare-database.ts'

const say = (line: string): void => console.log(line)

try {
  await runMigrations(process.argv.slice(2))
  say('The database is ready for this version.')
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  for (const fault of error.faults) console.error(fault)
  process.exitCode = 1
}

async function runMigrations(args: string[]): Promise<void> {
  const unknownArgument = args.find((arg) => arg !== '--alone')
  if (unknownArgument)
    throw new ConfigError([`Unknown option ${unknownArgument}. The only option of npm run migrate is --alone.`])
  const config = readDatabaseConfig(process.env)
  const database = await openDatabase({ url: config.databaseUrl })
  try {
    await prepareDatabase(database, config, { alone: args.includes('--alone'), say })
  } finally {
    await database.close()
  }
}
